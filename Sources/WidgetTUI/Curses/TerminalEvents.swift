import Dispatch
import Glibc

/// What the terminal and the system have to say, as calls on the main queue.
///
/// A class because it owns the Dispatch sources. libdispatch on Linux arms a signal's source some
/// time after `resume()`; until then the handlers of ``CrashGuard`` give the terminal back.
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

  private var input: (any DispatchSourceRead)?
  private var signals: [any DispatchSourceSignal] = []
  private var isReading = false

  /// Starts listening; call it once.
  func start() {
    let source = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: .main)
    source.setEventHandler { [weak self] in
      MainActor.assumeIsolated { self?.onInput() }
    }
    source.resume()
    isReading = true
    input = source

    for number in [SIGTERM, SIGHUP, SIGINT, SIGQUIT] { listen(to: number) { $0.onQuit() } }
    listen(to: SIGTSTP) { $0.onSuspend() }
    listen(to: SIGCONT) { $0.onContinue() }
    listen(to: SIGWINCH) { $0.onResize() }
  }

  /// Leaves the keys to somebody else, or reads them again.
  func setReading(_ reads: Bool) {
    guard let input, reads != isReading else { return }
    isReading = reads
    if reads {
      input.resume()
    } else {
      input.suspend()
    }
  }

  /// Stops listening for keys; signals are still heard, so that a second one does no harm.
  func stopReading() {
    setReading(true)
    input?.cancel()
    input = nil
  }

  private func listen(to number: Int32, _ handler: @escaping (TerminalEvents) -> Void) {
    let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
    source.setEventHandler { [weak self] in
      MainActor.assumeIsolated { if let self { handler(self) } }
    }
    if number == SIGWINCH {
      // A change between opening the screen and arming would go unseen: look once more then.
      source.setRegistrationHandler { [weak self] in
        MainActor.assumeIsolated { self?.onResize() }
      }
    }
    source.resume()
    signals.append(source)
  }
}
