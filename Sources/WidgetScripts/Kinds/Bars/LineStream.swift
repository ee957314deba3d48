import WidgetKitCore
import WidgetPlatform

/// The lines of a program that keeps printing, of which the newest counts.
struct LineStream {
  /// The bytes of a line that are kept, as many as a run may print; a longer line is cut.
  private static let lineBytes = 256 * 1024

  private var pending: [UInt8] = []
  /// The newest line that is complete; nil if there is none in this run.
  private(set) var newest: String?

  mutating func begin() {
    pending = []
    newest = nil
  }

  /// Takes what was read; returns the lines that it completes.
  @discardableResult
  mutating func append(_ bytes: [UInt8]) -> [String] {
    var pieces = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let last = pieces.removeLast()
    var lines: [String] = []
    for piece in pieces {
      pending += piece.prefix(max(0, Self.lineBytes - pending.count))
      lines.append(Self.text(pending))
      pending = []
    }
    pending += last.prefix(max(0, Self.lineBytes - pending.count))
    newest = lines.last ?? newest
    return lines
  }

  /// All lines of an output, without empty ones at its end.
  static func lines(_ bytes: [UInt8]) -> [String] {
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { text(Array($0)) }
    while lines.last?.allSatisfy(\.isWhitespace) == true { lines.removeLast() }
    return lines
  }

  /// Reads the object in a text as the bars do: in its strings there can be control characters, as shells print tabs, and
  /// escapes such as `\xe9`; comments and a comma behind the last member are left out.
  static func object(in text: String) throws(JSONTree.Failure) -> JSONTree {
    let bytes = escaped(Array(text.utf8))
    do throws(JSONTree.Failure) {
      return try JSONTree(tolerant: bytes)
    } catch {
      let lenient = try? JSON5File(bytes, path: "").value
      guard let lenient, lenient.members != nil else { throw error }
      return lenient
    }
  }

  /// The object at the beginning of a text, whatever is behind it; nil if there is none.
  static func firstObject(in text: String) -> JSONTree? {
    var depth = 0
    var scan = JSONStringScan()
    for (index, byte) in text.utf8.enumerated() {
      if scan.take(byte) { continue }
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        guard depth <= 0 else { continue }
        return try? object(in: String(decoding: text.utf8.prefix(index + 1), as: UTF8.self))
      default: break
      }
    }
    return nil
  }

  /// A text with its control characters in strings as escapes.
  static func escaped(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.contains(where: { $0 < 0x20 }) else { return bytes }
    var text: [UInt8] = []
    var isInString = false
    var isEscaped = false
    for byte in bytes {
      if byte < 0x20, isInString, !isEscaped {
        text += Array("\\u00\(byte < 0x10 ? "0" : "")\(String(byte, radix: 16))".utf8)
        continue
      }
      text.append(byte)
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = isInString
      } else if byte == UInt8(ascii: "\"") {
        isInString.toggle()
      }
    }
    return text
  }

  private static func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes.last == 0x0D ? bytes.dropLast() : bytes[...], as: UTF8.self)
  }
}
