import CMagic

/// Recognizes content by its first bytes, with libmagic where it is installed.
///
/// It belongs to the thread that uses it.
@safe package struct ContentSniffer: ~Copyable {
  private let magic: OpaquePointer?

  package init() { unsafe magic = cm_open() }

  deinit {
    if let magic = unsafe magic { unsafe cm_close(magic) }
  }

  /// Whether the library and its database are there.
  package var isAvailable: Bool { unsafe magic != nil }

  /// The MIME type of content; nil if nothing more is known than that it is text or not.
  package func mimeType(of bytes: ArraySlice<UInt8>) -> String? {
    guard let magic = unsafe magic else { return nil }
    let type = unsafe bytes.withUnsafeBytes { unsafe cm_mime_type(magic, $0.baseAddress, $0.count) }
    guard let type = unsafe type else { return nil }
    let text = unsafe String(cString: type)
    return ["text/plain", "application/octet-stream", "inode/x-empty"].contains(text) ? nil : text
  }
}
