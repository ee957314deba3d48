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
  func `distributes space by ideal size, priority and room`(
    available: Int,
    claims: [Sharing.Claim],
    expected: [Int]
  ) {
    #expect(Sharing.share(available, among: claims) == expected)
  }

  private static let empty = Sharing.Claim(minimum: 0, ideal: 0, maximum: 0)

  private static func letters(_ count: Int) -> [Sharing.Claim] {
    Array(repeating: fixed(1), count: count)
  }

  @Test(
    arguments: [
      (16, letters(8), Array(repeating: 1, count: 8)),
      (16, letters(16), Array(repeating: 1, count: 8) + Array(repeating: 0, count: 8)),
      (17, letters(17), Array(repeating: 1, count: 9) + Array(repeating: 0, count: 8)),
      (1, letters(3), [1, 0, 0]),
      (2, letters(3), [1, 0, 0]),
      (3, letters(3), [1, 1, 0]),
      (0, letters(2), [0, 0]),
      (1, [fixed(1), fixed(1, priority: 1)], [0, 1]),
      (3, [fixed(1), spacer, fixed(1)], [1, 0, 1]),
      (2, [fixed(1), spacer, fixed(1)], [1, 1, 0]),
      (5, [fixed(8), empty, fixed(8)], [2, 0, 2]),
      // A part of lower priority that would be no more than the mark of its cut is left out.
      (12, [fixed(30), fixed(20, priority: -1)], [12, 0]),
      (12, [fixed(10), fixed(20, priority: -1)], [10, 0]),
      (13, [fixed(10), fixed(20, priority: -1)], [10, 2]),
      (12, [fixed(30), fixed(1, priority: -1)], [10, 1]),
      (14, [fixed(30), fixed(9, priority: -1), fixed(9, priority: -2)], [14, 0, 0]),
      (9, [frame(10), fixed(1)], [7, 1]),
      (9, [frame(10, priority: 1), fixed(1)], [7, 1]),
      (9, [button(7), button(7)], [7, 0]),
      (11, [button(7), button(7)], [5, 5]),
      (3, [button(7)], [3]),
      (3, [button(7), fixed(1)], [0, 1]),
    ] as [(Int, [Sharing.Claim], [Int])]
  )
  func `gives no space and no spacing to children that cannot be shown`(
    available: Int,
    claims: [Sharing.Claim],
    expected: [Int]
  ) {
    #expect(Sharing.share(available, spacing: 1, among: claims) == expected)
  }

  private static func frame(_ columns: Int, priority: Double = 0) -> Sharing.Claim {
    Sharing.Claim(
      minimum: columns,
      ideal: columns,
      maximum: columns,
      priority: priority,
      least: 1
    )
  }

  private static func button(_ columns: Int) -> Sharing.Claim {
    Sharing.Claim(minimum: 5, ideal: columns, maximum: columns, least: 5)
  }
}
