import Testing

@testable import WidgetTUI

@Suite struct FrameBufferTests {
  @Test func `a picture of any size goes to memory at once`() throws {
    let buffer = try #require(FrameBuffer())
    #expect(buffer.cellLimit == .max)
  }
}
