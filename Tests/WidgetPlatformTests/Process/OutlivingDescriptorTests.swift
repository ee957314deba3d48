import CPlatform
import Testing
import WidgetTestSupport

@Suite struct OutlivingDescriptorTests {
  @Test func `a descriptor that outlives its program is open until the program has ended`() {
    #expect(OutlivingDescriptor.failedStep(platform_outlive) == nil)
  }
}
