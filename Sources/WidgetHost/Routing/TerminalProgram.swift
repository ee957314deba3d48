import Glibc
import WidgetKitCore

/// A program that wants the terminal for a while.
///
/// A class because it owns a process, and stops and goes on with it.
public final class TerminalProgram {
  private let launch: ChildProcess.Launch
  private let didStart: (Bool) -> Void
  private var child: ChildProcess?
  private var stopWatch: (any HostTimer)?
  private var terminal: Int32 = -1
  /// How the terminal was before.
  private var modes: termios?

  /// How long a stopped program may go unnoticed.
  private static let stopInterval = Duration.milliseconds(100)

  init(_ launch: ChildProcess.Launch, didStart: @escaping (Bool) -> Void) {
    self.launch = launch
    self.didStart = didStart
  }

  /// Starts the program in the foreground of the terminal.
  ///
  /// Call it with the terminal as the user's shell left it. `completion` is called when the program
  /// has ended and the terminal is the host's again, in the modes that it had. Where the user stops
  /// the program (Ctrl-Z), the host stops with it, and both go on together.
  ///
  /// - Parameters:
  ///   - terminal: The terminal's descriptor; -1 where there is none.
  ///   - completion: Called once, on the main actor.
  public func run(terminal: Int32, completion: @escaping () -> Void) {
    var launch = launch
    launch.isolation = .foreground(terminal: terminal)
    self.terminal = terminal
    modes = Self.modes(of: terminal)
    do throws(HostError) {
      child = try ChildProcess(launch) { [self] _ in
        stopWatch?.cancel()
        stopWatch = nil
        child = nil
        takeTerminal()
        completion()
      }
      if terminal >= 0 { followStops() }
      didStart(true)
    } catch {
      takeTerminal()
      didStart(false)
      completion()
    }
  }

  /// Does not start the program, because nobody can give it the terminal now.
  public func refuse() {
    didStart(false)
  }

  /// Tells the program that its terminal goes away, as when the terminal is closed, because the host
  /// ends; a stopped one is made to hear it.
  public func hangUp() {
    guard let child else { return }
    child.signal(SIGHUP)
    child.signal(SIGCONT)
    takeTerminal()
  }

  // MARK: - Stopping and going on

  /// No signal tells of a stopped child without a handler that all children would share.
  private func followStops() {
    guard child != nil else { return }
    stopWatch = EventLoop.main.schedule(after: Self.stopInterval) { [weak self] in
      self?.stopWithProgram()
      self?.followStops()
    }
  }

  private func stopWithProgram() {
    guard let child, Self.hasStopped(child.pid) else { return }
    let programModes = Self.modes(of: terminal)
    takeTerminal()
    repeat {
      raise(SIGSTOP)
      // Told to go on in the background, it has no terminal to give: it stops again.
    } while tcgetpgrp(terminal) != getpgrp()
    if var programModes { unsafe tcsetattr(terminal, TCSADRAIN, &programModes) }
    bringForward(child.pid)
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

  /// Makes the terminal the host's again, in the modes that it had.
  private func takeTerminal() {
    guard terminal >= 0 else { return }
    bringForward(getpgrp())
    if var modes { unsafe tcsetattr(terminal, TCSADRAIN, &modes) }
  }

  /// Puts a group in the foreground.
  ///
  /// A group in the background that does so is sent SIGTTOU, which is blocked meanwhile.
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
