import CPlatform
import Glibc
import WidgetPlatform

/// The output to the terminal, written as fast as the terminal accepts it, without blocking.
///
/// A class because it owns a descriptor and the watch on it. Bytes that the terminal does not accept
/// are written later, so callers must limit what they send: see ``isEmpty``.
final class TerminalOutput {
  /// Called when all bytes have been written, if they could not be written immediately.
  var onEmpty: () -> Void = {}

  private let descriptor: Int32
  private var unsent: ArraySlice<UInt8> = []
  private var watch: DescriptorWatch?

  /// Opens a terminal, that of standard output, again, so that O_NONBLOCK does not affect other programs.
  ///
  /// If that is impossible, the shared descriptor is non-blocking while the screen is open.
  init(_ terminal: Int32 = STDOUT_FILENO) {
    let own = platform_terminal_reopen(terminal)
    descriptor = own >= 0 ? own : terminal
    platform_terminal_set_output(descriptor, own >= 0 ? 0 : 1)
  }

  /// Whether all bytes have been written; only then a picture is sent.
  var isEmpty: Bool { unsent.isEmpty }

  /// Writes as many bytes as the terminal accepts, and the others later.
  func send(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    if unsent.isEmpty { unsent = bytes[...] } else { unsent += bytes }
    if watch?.isActive != true, !write() { follow() }
  }

  /// Discards the bytes that the terminal has not accepted.
  func discard() {
    unsent = []
    watch?.pause()
  }

  /// Writes what takes everything back, and restores the settings of the terminal; a blocked terminal gets the
  /// end alone.
  func giveBack(_ farewell: String) {
    send(Array(farewell.utf8))
    guard !isEmpty else { return platform_terminal_leave_screen() }
    discard()
    platform_terminal_restore()
  }

  /// Writes as many bytes as the terminal accepts; returns whether that was everything.
  private func write() -> Bool {
    while !unsent.isEmpty {
      let count = unsafe unsent.withUnsafeBytes {
        unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
      }
      if count > 0 {
        unsent = unsent.dropFirst(count)
      } else if errno == EAGAIN {
        return false
      } else if errno != EINTR {
        // The terminal was closed, which reading keys detects.
        break
      }
    }
    unsent = []
    return true
  }

  private func follow() {
    let watch =
      watch ?? DescriptorWatch(descriptor, for: .writing) { [weak self] in self?.writeRest() }
    self.watch = watch
    watch.resume()
  }

  private func writeRest() {
    guard write() else { return }
    watch?.pause()
    onEmpty()
  }
}
