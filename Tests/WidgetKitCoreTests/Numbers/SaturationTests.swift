import Testing
import WidgetKitCore

struct SaturationTests {
  @Test func `sums and products saturate`() {
    #expect(UInt64.max.addingSaturated(1) == .max && UInt64(1).addingSaturated(2) == 3)
    #expect(Int.max.addingSaturated(1) == .max && Int.min.addingSaturated(-1) == .min)
    #expect(UInt64.max.multipliedSaturated(by: 10) == .max)
    #expect(
      Int.max.multipliedSaturated(by: -2) == .min && Int.min.multipliedSaturated(by: -1) == .max
    )
    #expect(Int(-3).multipliedSaturated(by: 7) == -21)
  }

  @Test(arguments: [
    (0.0, 0), (-0.0, 0), (1.9, 1), (-1.9, -1), (1e300, Int.max), (-1e300, .min), (.nan, 0),
    (.infinity, .max), (-.infinity, .min), (0x1p63, .max), (-0x1p63, .min), (1e-300, 0),
  ])
  func `a number is the nearest whole one`(value: Double, whole: Int) {
    #expect(Int(saturated: value) == whole)
    #expect(UInt64(saturated: value) == (whole <= 0 ? 0 : value >= 0x1p64 ? .max : UInt64(value)))
  }

  @Test(arguments: [0.0, 1.5, -1e300, 1e300, .nan, .infinity, 1e19, 1e-300])
  func `seconds are a duration, whatever they are`(seconds: Double) {
    let duration = Duration.saturated(seconds: seconds)
    _ = ContinuousClock.now + duration
    _ = ContinuousClock.now - duration
    #expect(seconds.magnitude > 1e12 || seconds.isNaN || duration == .seconds(seconds))
  }
}
