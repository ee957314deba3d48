import Glibc

/// A scope of systemd for this program, which it asks for when its own control group is not its alone, as that of
/// a shell in a terminal.
///
/// This is a class because a program and timers call it until it is decided.
@MainActor public final class ControlGroupScope {
  /// How often, and for how long, the program looks whether it was moved.
  private static let pause = Duration.milliseconds(5)
  private static let patience = Duration.seconds(1)
  /// The request that is not decided.
  private static var present: ControlGroupScope?

  private let clock = SystemClock()
  private lazy var end = clock.now + Self.patience
  private var timer: (any HostTimer)?
  private var completion: (() -> Void)?

  private init(completion: @escaping () -> Void) {
    self.completion = completion
  }

  /// Gives widgets control groups, if that is possible; `completion` is called once, now or within three seconds.
  ///
  /// - Parameters:
  ///   - environment: The user's environment.
  ///   - completion: Called when it is decided whether widgets have control groups (``ControlGroups/words``).
  public static func prepare(environment: [String: String], completion: @escaping () -> Void) {
    guard !ControlGroups.divideOwn(), ControlGroupPlace.own() != nil,
      let call = call(environment)
    else { return completion() }
    let scope = ControlGroupScope(completion: completion)
    present = scope
    ChildRun.print(call, byteLimit: 4_096, time: .seconds(2), clock: scope.clock) {
      [weak scope] result in
      switch result {
      case .success: scope?.waitForMove()
      case .failure(let failure): scope?.finish("systemd gave no scope: busctl \(failure.words)")
      }
    }
  }

  private func finish(_ obstacle: String? = nil) {
    if let obstacle { ControlGroups.note(obstacle) }
    timer?.cancel()
    Self.present = nil
    completion?()
    completion = nil
  }

  /// systemd answers when it has accepted the scope, and moves the program soon afterwards.
  private func waitForMove() {
    if ControlGroups.divideOwn() { return finish() }
    guard clock.now < end else {
      return finish("systemd has not moved this program into its scope")
    }
    timer = clock.schedule(after: Self.pause) { [weak self] in self?.waitForMove() }
  }

  /// The call of busctl(1) that asks for a scope; nil, with a note, if there is nobody to ask.
  private static func call(_ environment: [String: String]) -> LaunchDescription? {
    guard unsafe access("/run/systemd/system", F_OK) == 0 else {
      ControlGroups.note("\(ControlGroups.obstacle), and systemd does not run here")
      return nil
    }
    guard let program = ToolSearch.path(of: "busctl", in: environment) else {
      ControlGroups.note(
        "\(ControlGroups.obstacle), and busctl, which asks systemd, is not in PATH"
      )
      return nil
    }
    let isOfUser = SessionBus.address(environment) != nil
    guard isOfUser || geteuid() == 0 else {
      ControlGroups.note("\(ControlGroups.obstacle), and there is no session bus to ask systemd")
      return nil
    }
    var properties = [
      "Description", "s", "today and its widgets",
      "Delegate", "b", "true",
      "CollectMode", "s", "inactive-or-failed",
      "PIDs", "au", "1", "\(getpid())",
    ]
    if isOfUser { properties += ["Slice", "s", "app.slice"] }
    let arguments =
      [
        isOfUser ? "--user" : "--system", "--quiet", "call", "org.freedesktop.systemd1",
        "/org/freedesktop/systemd1", "org.freedesktop.systemd1.Manager", "StartTransientUnit",
        "ssa(sv)a(sa(sv))", "today-\(getpid()).scope", "fail", isOfUser ? "5" : "4",
      ] + properties + ["0"]
    return LaunchDescription(program: program, arguments: arguments, environment: environment)
  }
}
