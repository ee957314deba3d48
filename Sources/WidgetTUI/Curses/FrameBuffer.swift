import CPlatform

/// The output of ncurses: memory instead of the terminal, so that writing never blocks.
///
/// A class because it owns descriptors, until the program exits.
final class FrameBuffer {
  private let frame: platform_frame

  /// Opens the buffer; nil if there are no free descriptors.
  init?() {
    var frame = platform_frame()
    guard unsafe platform_frame_open(&frame) == 0 else { return nil }
    self.frame = frame
  }

  /// The descriptor that ncurses writes to.
  var descriptor: Int32 { frame.writer }

  /// How many cells can be written at a time, so that their bytes fit.
  var cellLimit: Int { frame.reader < 0 ? .max : max(8, Int(frame.capacity) / 160) }

  /// Takes all bytes that were written.
  func take() -> [UInt8] {
    var frame = frame
    let count = unsafe platform_frame_size(&frame)
    guard count > 0 else { return [] }
    return unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, taken in
      guard let start = buffer.baseAddress else { return }
      taken = unsafe platform_frame_take(&frame, start, count)
    }
  }
}
