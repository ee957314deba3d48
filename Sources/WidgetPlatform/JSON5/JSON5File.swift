package import WidgetKitCore

/// A JSON5 file of the user: its values, and where each of them is.
package struct JSON5File {
  package let outline: JSON5Outline
  /// The value of the whole file.
  package var value: JSONTree { outline.value }

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
  }
}

extension JSONTree {
  /// The value at a path below this one; nil if there is none.
  package subscript(path: MemberPath) -> JSONTree? {
    var value = self
    for step in path.steps {
      switch (step, value) {
      case (.name(let name), .object(let members)):
        guard let member = members[name] else { return nil }
        value = member
      case (.index(let index), .array(let values)) where values.indices.contains(index):
        value = values[index]
      default: return nil
      }
    }
    return value
  }
}
