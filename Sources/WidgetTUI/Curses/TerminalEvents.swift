import CPlatform
import Glibc
import WidgetKitCore
import WidgetPlatform

/// What the terminal and the system report, as calls on the main thread.
///
/// A class because it owns the watches on the keyboard and the signals.
final class TerminalEvents: ScreenEvents {
  /// Called when keys can be read, or the terminal was closed.
  var onInput: () -> Void = {}
  /// Called when the size of the terminal may have changed.
  var onResize: () -> Void = {}
  /// Called when a signal says that the terminal has changed; its size may be the same.
  var onWindowSignal: () -> Void = {}
  /// Called when the program should quit.
  var onQuit: () -> Void = {}
  /// Called when the program should be suspended.
  var onSuspend: () -> Void = {}
  /// Called when the program continues after it was suspended.
  var onContinue: () -> Void = {}
  /// Called when the user has sent SIGRTMIN+N, for scripts with this N.
  var onScriptSignal: (Int) -> Void = { _ in }

  private var keys: DescriptorWatch?
  private var signals: DescriptorWatch?

  /// Starts listening; call it once.
  func start() {
    keys = DescriptorWatch(STDIN_FILENO, for: .reading) { [weak self] in self?.onInput() }
    keys?.resume()
    let ofScripts = ScriptOptions.signals.map { Self.firstUserSignal + Int32($0) }
    let numbers = [SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH] + ofScripts
    // Without a free descriptor, the handlers of CrashGuard restore the terminal.
    let descriptor = unsafe platform_signal_watch(numbers, numbers.count)
    guard descriptor >= 0 else { return }
    signals = DescriptorWatch(descriptor, for: .reading) { [weak self] in
      self?.readSignals(descriptor)
    }
    signals?.resume()
    platform_watch_loop(STDIN_FILENO)
    platform_watch_loop(descriptor)
    // The size may have changed after the screen was opened and before this.
    onResize()
  }

  /// Leaves the keys to an app, or reads them again.
  func setReading(_ reads: Bool) {
    if reads {
      keys?.resume()
    } else {
      keys?.pause()
    }
  }

  /// Stops listening for keys; signals are still read, so that a second one does no harm.
  func stopReading() {
    keys?.pause()
    keys = nil
  }

  func stopProgram() {
    platform_job_stop()
  }

  func awaitTerminal() -> TerminalPossession {
    let result = platform_job_await_foreground(STDIN_FILENO)
    // The caller redraws everything.
    platform_signal_take(SIGCONT)
    return switch result {
    case PLATFORM_FOREGROUND: .ours
    case PLATFORM_ENDING: .unneeded
    default: .lost
    }
  }

  private static let firstUserSignal = platform_first_user_signal()

  private func readSignals(_ descriptor: Int32) {
    while true {
      switch platform_signal_next(descriptor) {
      case SIGTERM, SIGHUP, SIGINT, SIGQUIT: onQuit()
      case SIGTSTP: onSuspend()
      case SIGCONT: onContinue()
      case SIGWINCH: onWindowSignal()
      case 0: return
      case let number: onScriptSignal(Int(number - Self.firstUserSignal))
      }
    }
  }
}
