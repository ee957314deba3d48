import ExtensionContent
import Glibc
import WidgetKitCore
import WidgetRequests
import WidgetTesting

/// What an author is told of a request that has ended.
struct RequestOutput {
  /// The most bytes of a returned content that are shown.
  private static let byteLimit = 16 * 1_024

  /// Says how it has ended, and what it has returned.
  func write(_ outcome: ExtensionRequest.Outcome) {
    switch outcome {
    case .completed(let items):
      write("completed")
      for attachment in items.flatMap(\.self) {
        let name = attachment.suggestedName.map { ", “\($0)”" } ?? ""
        let size = attachment.content.size
        write("returned \(attachment.type.identifier), \(size) bytes\(name)")
        write(attachment.content)
      }
    case .cancelled: write("cancelled")
    case .failed(let reason): write("failed: \(reason)")
    }
  }

  /// Says something about the request.
  func write(_ words: String) {
    StandardStreams.writeLine("# \(SafeText(words).onOneLine)")
  }

  /// Shows the beginning of a content, without what could act on the terminal.
  func write(_ content: RequestSpool) {
    let bytes = content.beginning(Self.byteLimit)
    let text = SafeText(String(decoding: bytes, as: UTF8.self)).string
    guard !text.isEmpty else { return }
    StandardStreams.write(text: text.hasSuffix("\n") ? text : text + "\n")
    if content.size > bytes.count { write("and \(content.size - bytes.count) bytes more") }
  }

  /// Shows the messages.
  func write(_ trace: TemporaryTrace) {
    do throws(HarnessFailure) {
      var listing = TraceListing(try Trace(path: trace.path))
      for line in listing.lines(of: nil) { write(line) }
    } catch {
      StandardStreams.writeError(error.description)
    }
  }
}

/// The trace of one request, which is removed with it unless its user has named it.
///
/// A class because the file goes with it.
final class TemporaryTrace {
  /// The file.
  let path: String
  private let isTemporary: Bool

  /// Makes the file.
  ///
  /// - Parameters:
  ///   - folder: Where files for a short time belong.
  ///   - named: The file that the user has named; nil for none.
  /// - Throws: ``CommandError`` if it cannot be made.
  init(in folder: String, named: String?) throws(CommandError) {
    isTemporary = named == nil
    if let named {
      path = named
      return
    }
    var template = Array("\(folder)/today-dev.XXXXXX".utf8CString)
    let number = unsafe mkstemp(&template)
    guard number >= 0 else {
      let reason = unsafe String(cString: strerror(errno))
      throw .failure("no file could be made in \(folder): \(reason)")
    }
    close(number)
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  isolated deinit {
    if isTemporary { unsafe unlink(path) }
  }
}
