import Testing

@testable import WidgetKitCore

@Suite struct `Sharing of columns` {
  private static func fixed(_ ideal: Int, priority: Double = 0) -> Sharing.Claim {
    Sharing.Claim(minimum: 1, ideal: ideal, maximum: ideal, priority: priority)
  }

  private static let flexible = Sharing.Claim(minimum: 4, ideal: 12, maximum: 10_000)
  private static let spacer =
    Sharing.Claim(minimum: 0, ideal: 0, maximum: 10_000, priority: -.infinity, isSpacer: true)

  @Test(
    arguments: [
      (20, [fixed(5), fixed(6)], [5, 6]),
      (20, [fixed(5), spacer, fixed(6)], [5, 9, 6]),
      (20, [spacer, fixed(5), spacer], [8, 5, 7]),
      (30, [fixed(5), flexible, spacer], [5, 25, 0]),
      (30, [flexible, flexible], [15, 15]),
      (10, [fixed(8), fixed(8)], [5, 5]),
      (10, [fixed(3), fixed(20)], [3, 7]),
      (10, [fixed(8, priority: 1), fixed(8)], [8, 2]),
      (9, [fixed(8), fixed(8), fixed(8)], [3, 3, 3]),
      (2, [fixed(8), fixed(8), fixed(8)], [1, 1, 0]),
      (2, [fixed(8), fixed(8), fixed(8, priority: 1)], [1, 0, 1]),
      (0, [fixed(8), spacer], [0, 0]),
      (10, [], []),
    ] as [(Int, [Sharing.Claim], [Int])]
  )
  func `gives by ideal, priority and room`(
    available: Int,
    claims: [Sharing.Claim],
    expected: [Int]
  ) {
    #expect(Sharing.share(available, among: claims) == expected)
  }
}
