import CPlatform

/// Where ncurses writes: memory instead of the terminal, so that it never waits.
///
/// A class because it owns descriptors, for as long as the program runs.
final class FrameBuffer {
  private let frame: platform_frame

  /// Opens it; nil if the system gives no descriptors.
  init?() {
    var frame = platform_frame()
    guard unsafe platform_frame_open(&frame) == 0 else { return nil }
    self.frame = frame
  }

  /// The descriptor that ncurses writes to.
  var descriptor: Int32 { frame.writer }

  /// How many cells may be changed at a time: no cell takes more bytes than this allows for.
  var cellLimit: Int { frame.capacity > Int.max ? .max : max(8, Int(frame.capacity) / 160) }

  /// Takes all that was written.
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
