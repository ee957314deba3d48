import Glibc
import WidgetExtensions
import WidgetPages
import WidgetPlatform

/// What a ``ScreenLoan`` gives the terminal of.
protocol ScreenLoanOwner: AnyObject {
  var center: WidgetCenter { get }
  var screen: any Screen { get }
  var events: any ScreenEvents { get }
  var isQuitting: Bool { get }
  func quit()
  /// The terminal is the dashboard's again, after an app has used it or the shell.
  func screenIsBack(fromApp: Bool)
}

/// The terminal while it is not the dashboard's.
///
/// On Ctrl-Z it is the shell's, and an app that needs a terminal gets it until it exits. The widgets are suspended
/// meanwhile.
final class ScreenLoan {
  private unowned let owner: any ScreenLoanOwner
  private let clock: any HostClock
  private var isSuspending = false
  /// The app that uses the terminal.
  private var guest: TerminalProgram?
  private var restTurn: (any HostTimer)?

  init(owner: any ScreenLoanOwner, clock: any HostClock) {
    self.owner = owner
    self.clock = clock
  }

  private var isFree: Bool { !owner.isQuitting && !isSuspending && guest == nil }

  /// Suspends the widgets and then the program, until SIGCONT continues it.
  func suspend() {
    guard isFree else { return }
    isSuspending = true
    owner.events.setReading(false)
    owner.center.delivery.suspend()
    var left = 2
    let next = { [weak self] in
      left -= 1
      if left == 0 { self?.stopProcess() }
    }
    owner.screen.release(on: clock, then: next)
    owner.center.suspend(completion: next)
  }

  private func stopProcess() {
    // A quit meanwhile ends the program instead.
    guard !owner.isQuitting else { return }
    owner.events.stopProgram()
    isSuspending = false
    switch owner.events.awaitTerminal() {
    case .ours: break
    // A signal that is read next ends it, without the terminal, which was given back.
    case .unneeded: return
    case .lost: return owner.quit()
    }
    takeBack()
    owner.center.resume()
    owner.screenIsBack(fromApp: false)
  }

  /// Takes the terminal again when something else has stopped and continued the program, as `kill -STOP` and
  /// `fg` do: the shell has changed its modes, and what is on it.
  func continueProgram() {
    // The app that has the terminal was stopped too, or takes it back itself.
    guard isFree else { return }
    // In the background nothing can be told on the terminal; other programs tell of notices.
    owner.center.delivery.suspend()
    switch owner.events.awaitTerminal() {
    case .ours: break
    case .unneeded: return
    case .lost: return owner.quit()
    }
    owner.screen.release()
    owner.screen.reclaim()
    owner.screenIsBack(fromApp: false)
  }

  /// Lets an app use the terminal; views disappear and widgets are suspended until it exits.
  func handOver(to program: TerminalProgram) {
    guard isFree else {
      program.refuse()
      return
    }
    guest = program
    owner.events.setReading(false)
    owner.center.delivery.suspend()
    owner.screen.release(on: clock) { [weak self] in
      guard let self, !owner.isQuitting else {
        program.refuse()
        return
      }
      program.run(terminal: STDIN_FILENO) { [weak self] in
        guard let self else { return }
        guest = nil
        guard !owner.isQuitting else { return owner.screen.releaseOfApp() }
        owner.center.resume()
        takeBack()
        owner.screenIsBack(fromApp: true)
      }
      // One turn of the queue later, when the widget has received the answer to its openURL.
      restTurn = clock.schedule(after: .zero) { [weak self] in
        guard let self, guest != nil, !owner.isQuitting else { return }
        owner.center.suspend {}
      }
    }
  }

  private func takeBack() {
    owner.screen.reclaim()
    owner.events.setReading(true)
  }

  /// The dashboard quits: an app that uses the terminal is told.
  func end() {
    restTurn?.cancel()
    guest?.hangUp()
  }
}
