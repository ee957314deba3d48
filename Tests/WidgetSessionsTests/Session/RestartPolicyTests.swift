import Testing

@testable import WidgetSessions

@Suite struct RestartPolicyTests {
  private let start = ContinuousClock.now

  private func decision(_ seconds: [Double]) -> RestartPolicy.Decision {
    RestartPolicy().decision(after: seconds.map { start + .seconds($0) })
  }

  @Test(arguments: [
    ([], RestartPolicy.Decision.restart(after: .zero)),
    ([0], .restart(after: .zero)),
    ([0, 1], .restart(after: .seconds(1))),
    ([0, 1, 2], .restart(after: .seconds(2))),
    ([0, 1, 2, 3], .restart(after: .seconds(4))),
    ([0, 1, 2, 3, 4], .stop),
    ([0, 0, 0, 0, 0], .stop),
    ([0, 45, 90, 135, 179.9], .stop),
    ([0, 45, 90, 135, 180], .restart(after: .seconds(8))),
  ])
  func `pauses double, and five failures in three minutes are enough`(
    failures: [Double],
    expected: RestartPolicy.Decision
  ) {
    #expect(decision(failures) == expected)
  }

  @Test func `no pause is longer than a minute`() {
    #expect(decision((0..<8).map { Double($0) * 100 }) == .restart(after: .seconds(60)))
    #expect(decision((0..<200).map { Double($0) * 100 }) == .restart(after: .seconds(60)))
  }
}
