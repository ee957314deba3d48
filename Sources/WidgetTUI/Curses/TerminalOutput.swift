import CPlatform
import Glibc
import WidgetHost

/// The bytes for the terminal, written as fast as it takes them; nothing here waits.
///
/// A class because it owns a descriptor and the watch on it. What the terminal does not take is
/// kept and written when it does, so what is sent has to be bounded: see ``isEmpty``.
final class TerminalOutput {
  /// Called when all that was sent has been written, where it could not be written at once.
  var onEmpty: () -> Void = {}

  private let descriptor: Int32
  private var unsent: ArraySlice<UInt8> = []
  private var watch: DescriptorWatch?

  /// Opens the terminal of standard output again: nobody else is to meet O_NONBLOCK there.
  ///
  /// Where that is impossible, the shared descriptor has it while the screen is open.
  init() {
    let own = platform_terminal_reopen(STDOUT_FILENO)
    descriptor = own >= 0 ? own : STDOUT_FILENO
    platform_terminal_set_output(descriptor, own >= 0 ? 0 : 1)
  }

  /// Whether the terminal has taken everything; only then a picture is sent.
  var isEmpty: Bool { unsent.isEmpty }

  /// Writes the bytes, or what the terminal takes of them now, and the others later.
  func send(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    if unsent.isEmpty { unsent = bytes[...] } else { unsent += bytes }
    if watch?.isActive != true, !write() { follow() }
  }

  /// Forgets what the terminal has not taken.
  func discard() {
    unsent = []
    watch?.pause()
  }

  /// Writes what the terminal takes; whether that was everything.
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
        // The terminal is gone, which the keyboard tells.
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
