import CExpat

/// The answer of a WebDAV server with a part for each resource (RFC 4918 §13).
///
/// Only elements by their local names and their text are read. What is no such answer has no parts; one with an error
/// in its XML has those before it.
struct MultiStatus: Hashable, Sendable {
  /// One resource.
  struct Part: Hashable, Sendable {
    /// Its address: a path, or a URL.
    var href = ""
    /// Whether it is a calendar (RFC 4791 §4.2).
    var isCalendar = false
    /// The calendar itself.
    var data: String?
    /// Where the user's calendars are.
    var home: String?
    /// Where the user is described.
    var principal: String?
  }

  private(set) var parts: [Part] = []

  /// Reads an answer.
  init(parsing bytes: [UInt8]) {
    let reader = MultiStatusReader()
    reader.read(bytes)
    parts = reader.parts
  }
}

/// The events of expat, which each get the reader as their first argument.
private final class MultiStatusReader {
  /// More resources are left out.
  private static let partLimit = 5_000
  /// An answer that is nested deeper ends there.
  private static let depthLimit = 100

  private(set) var parts: [MultiStatus.Part] = []
  private var part: MultiStatus.Part?
  /// The local names of the elements around the present place.
  private var open: [String] = []
  private var text = ""
  /// Whether the rest is ignored.
  private var isDone = false

  func read(_ bytes: [UInt8]) {
    guard let parser = unsafe XML_ParserCreate("UTF-8") else { return }
    defer { unsafe XML_ParserFree(parser) }
    unsafe XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
    unsafe XML_SetElementHandler(
      parser,
      { reader, name, _ in
        unsafe MultiStatusReader.of(reader)?.begin(MultiStatusReader.localName(name))
      },
      { reader, _ in unsafe MultiStatusReader.of(reader)?.end() }
    )
    unsafe XML_SetCharacterDataHandler(parser) { reader, bytes, count in
      let bytes = unsafe UnsafeRawBufferPointer(start: bytes, count: Int(count))
      unsafe MultiStatusReader.of(reader)?.text += unsafe String(decoding: bytes, as: UTF8.self)
    }
    // With this handler, entities that a document defines are left out.
    unsafe XML_SetDefaultHandler(parser) { _, _, _ in }
    // Servers send what is neither UTF-8 nor a character of XML in the texts of entries.
    let text = Array(String(decoding: bytes, as: UTF8.self).utf8).map {
      $0 < 0x20 && ![0x09, 0x0A, 0x0D].contains($0) ? 0x20 : CChar(bitPattern: $0)
    }
    _ = unsafe XML_Parse(parser, text, Int32(text.count), 1)
  }

  /// The reader of an event; nil if it wants no more.
  private static func of(_ pointer: UnsafeMutableRawPointer?) -> MultiStatusReader? {
    guard let pointer = unsafe pointer else { return nil }
    let reader = unsafe Unmanaged<MultiStatusReader>.fromOpaque(pointer).takeUnretainedValue()
    return reader.isDone ? nil : reader
  }

  /// `d:href` is `href`.
  private static func localName(_ name: UnsafePointer<XML_Char>?) -> String {
    let name = unsafe name.map { unsafe String(cString: $0) } ?? ""
    return String(
      name[(name.lastIndex(of: ":").map { name.index(after: $0) } ?? name.startIndex)...]
    )
  }

  private func begin(_ name: String) {
    if name == "response" { part = MultiStatus.Part() }
    if name == "calendar", open.last == "resourcetype" { part?.isCalendar = true }
    text = ""
    open.append(name)
    isDone = open.count > Self.depthLimit
  }

  private func end() {
    switch (open.popLast(), open.last) {
    case ("response", _):
      if let part { parts.append(part) }
      part = nil
      isDone = parts.count == Self.partLimit
    case ("href", "response"): part?.href = Self.trimmed(text)
    case ("href", "calendar-home-set"): part?.home = Self.trimmed(text)
    case ("href", "current-user-principal"): part?.principal = Self.trimmed(text)
    case ("calendar-data", _): part?.data = text
    default: break
    }
    text = ""
  }

  private static func trimmed(_ text: String) -> String {
    String(text.split(whereSeparator: \.isWhitespace).joined())
  }
}
