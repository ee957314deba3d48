import FoundationEssentials
import WidgetKitCore

/// A JSON5 file of the user: its values, and where each of them is.
package nonisolated struct JSON5File {
  package let outline: JSON5Outline
  package let value: SettingValue

  /// Why a file could not be read: `/a/config.json:3:4: expected a colon`.
  package struct Failure: Error {
    /// The words for the user.
    package var words: String
  }

  /// Reads the bytes of the file at `path`.
  package init(_ bytes: [UInt8], path: String) throws(Failure) {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Failure(words: "\(path) is not UTF-8")
    }
    do throws(JSON5Outline.Failure) {
      outline = try JSON5Outline(text)
    } catch {
      throw Failure(words: "\(path):\(error.place): \(error.reason)")
    }
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    do {
      value = try decoder.decode(SettingValue.self, from: Data(bytes))
    } catch {
      throw Failure(words: "\(path) is not JSON5: \(Self.words(error))")
    }
  }

  private static func words(_ error: any Error) -> String {
    if case DecodingError.dataCorrupted(let context) = error {
      return context.underlyingError.map { "\($0)" } ?? context.debugDescription
    }
    return "\(error)"
  }
}
