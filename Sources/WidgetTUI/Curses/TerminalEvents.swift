import CPlatform
import Glibc
import WidgetHost

/// What the terminal and the system report, as calls on the main thread.
///
/// A class because it owns the watches on the keyboard and the signals.
final class TerminalEvents {
  /// There are keys to read, or the terminal is gone.
  var onInput: () -> Void = {}
  /// The terminal may have another size.
  var onResize: () -> Void = {}
  /// The program is asked to end.
  var onQuit: () -> Void = {}
  /// The program is asked to stop for a while.
  var onSuspend: () -> Void = {}
  /// The program goes on after it was stopped.
  var onContinue: () -> Void = {}

  private var keys: DescriptorWatch?
  private var signals: DescriptorWatch?

  /// Starts listening; call it once.
  func start() {
    keys = DescriptorWatch(STDIN_FILENO, for: .reading) { [weak self] in self?.onInput() }
    keys?.resume()
    let numbers = [SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH]
    // Where there is no descriptor left, the handlers of CrashGuard give the terminal back.
    let descriptor = unsafe platform_signal_watch(numbers, numbers.count)
    guard descriptor >= 0 else { return }
    signals = DescriptorWatch(descriptor, for: .reading) { [weak self] in
      self?.readSignals(descriptor)
    }
    signals?.resume()
    // A change of size after the screen was opened and before this went unseen.
    onResize()
  }

  /// Leaves the keys to another program, or reads them again.
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

  private func readSignals(_ descriptor: Int32) {
    while true {
      switch platform_signal_next(descriptor) {
      case SIGTERM, SIGHUP, SIGINT, SIGQUIT: onQuit()
      case SIGTSTP: onSuspend()
      case SIGCONT: onContinue()
      case SIGWINCH: onResize()
      default: return
      }
    }
  }
}
