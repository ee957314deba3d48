import CPlatform
import Glibc
import WidgetKitCore
package import WidgetPlatform

/// A program that uses the terminal for a while.
///
/// This is a class because it owns a process, and stops and continues with it.
@MainActor public final class TerminalProgram {
  private let launch: LaunchDescription
  private let didStart: (Bool) -> Void
  private let didEnd: (TerminationStatus) -> Void
  private var child: ChildRun?
  private var stopWatch: (any HostTimer)?
  private var terminal: Int32 = -1
  /// The modes of the terminal before the program was started.
  private var modes: termios?

  /// The longest time until the host notices that the program was stopped.
  private static let stopInterval = Duration.milliseconds(100)

  package init(
    _ launch: LaunchDescription,
    didStart: @escaping (Bool) -> Void,
    didEnd: @escaping (TerminationStatus) -> Void = { _ in }
  ) {
    self.launch = launch
    self.didStart = didStart
    self.didEnd = didEnd
  }

  /// Starts the program in the foreground of the terminal.
  ///
  /// Call it with the terminal in the modes that the user's shell left. `completion` is called when the
  /// program has ended and the terminal belongs to the host again, in its previous modes. If the user
  /// stops the program (Ctrl-Z), the host stops with it, and both continue together.
  ///
  /// - Parameters:
  ///   - terminal: The terminal's descriptor; -1 if there is none.
  ///   - completion: Called once, on the main actor.
  public func run(terminal: Int32, completion: @escaping () -> Void) {
    let terms = ChildRun.Terms(
      isolation: .foreground(terminal: terminal),
      input: .own,
      output: .own,
      errors: .own
    )
    self.terminal = terminal
    modes = Self.modes(of: terminal)
    do throws(HostError) {
      child = try ChildRun(launch, terms) { [self] end in
        stopWatch?.cancel()
        stopWatch = nil
        child = nil
        takeTerminal()
        completion()
        didEnd(end.status)
      }
      if terminal >= 0 { followStops() }
      didStart(true)
    } catch {
      takeTerminal()
      didStart(false)
      completion()
    }
  }

  /// Does not start the program, because the terminal is not available now.
  public func refuse() {
    didStart(false)
  }

  /// Sends the program a hangup, as when the terminal is closed, because the host ends; a stopped
  /// program is continued so that it receives it.
  public func hangUp() {
    guard let child else { return }
    child.signal(SIGHUP)
    child.signal(SIGCONT)
    takeTerminal()
  }

  // MARK: - Stopping and continuing

  /// Without a handler that all children would share, no signal reports a stopped child.
  private func followStops() {
    guard child != nil else { return }
    stopWatch = EventLoop.main.schedule(after: Self.stopInterval) { [weak self] in
      self?.stopWithProgram()
      self?.followStops()
    }
  }

  private func stopWithProgram() {
    guard let child, let pid = child.pid, Self.hasStopped(pid) else { return }
    let programModes = Self.modes(of: terminal)
    takeTerminal()
    platform_job_stop()
    // If it is continued in the background, it has no terminal to hand over and stops again.
    guard platform_job_await_foreground(terminal) == PLATFORM_FOREGROUND else {
      child.signal(SIGHUP)
      child.signal(SIGCONT)
      return
    }
    if var programModes { unsafe tcsetattr(terminal, TCSADRAIN, &programModes) }
    bringForward(pid)
    child.signal(SIGCONT)
  }

  private static func hasStopped(_ pid: pid_t) -> Bool {
    var info = unsafe siginfo_t()
    guard unsafe waitid(P_PID, id_t(pid), &info, WSTOPPED | WNOHANG) == 0 else { return false }
    return unsafe info.si_signo == SIGCHLD
  }

  // MARK: - The terminal

  private static func modes(of terminal: Int32) -> termios? {
    var modes = termios()
    return unsafe tcgetattr(terminal, &modes) == 0 ? modes : nil
  }

  /// Makes the host the owner of the terminal again, in the previous modes.
  private func takeTerminal() {
    guard terminal >= 0 else { return }
    bringForward(getpgrp())
    if var modes { unsafe tcsetattr(terminal, TCSADRAIN, &modes) }
  }

  /// Puts a process group in the foreground.
  ///
  /// A background group that does so is sent SIGTTOU, which is blocked meanwhile.
  private func bringForward(_ group: pid_t) {
    var blocked = sigset_t()
    var before = sigset_t()
    unsafe sigemptyset(&blocked)
    unsafe sigaddset(&blocked, SIGTTOU)
    unsafe pthread_sigmask(SIG_BLOCK, &blocked, &before)
    tcsetpgrp(terminal, group)
    unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
  }
}
