/// A uniform type identifier, such as `public.png`, whose case does not matter.
package struct UniformType: Sendable, CustomStringConvertible {
  /// The identifier as it was written.
  package let identifier: String
  /// What identifiers are compared by.
  private let key: String

  package init(_ identifier: String) {
    self.identifier = identifier
    key = identifier.lowercased()
  }

  /// The identifier of a text, without the spaces around it; nil if it cannot be one.
  ///
  /// An identifier has ASCII letters, digits, hyphens and periods, or characters beyond ASCII.
  package init?(validating text: String) {
    let scalars = text.unicodeScalars.drop { $0 == " " }
    var identifier = String(String.UnicodeScalarView(scalars))
    while identifier.last == " " { identifier.removeLast() }
    let isValid = identifier.unicodeScalars.allSatisfy { scalar in
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "-", ".": true
      default: scalar.value > 0x9F && !scalar.properties.isWhitespace
      }
    }
    guard isValid, !identifier.isEmpty, identifier.utf8.count <= 255 else { return nil }
    self.init(identifier)
  }

  package var description: String { identifier }
}

extension UniformType: Hashable {
  package static func == (one: Self, other: Self) -> Bool { one.key == other.key }

  package func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

extension UniformType {
  package static let item = UniformType("public.item")
  package static let data = UniformType("public.data")
  package static let plainText = UniformType("public.plain-text")
  package static let text = UniformType("public.text")
  package static let url = UniformType("public.url")
  package static let fileURL = UniformType("public.file-url")
  package static let image = UniformType("public.image")
  package static let movie = UniformType("public.movie")
  package static let folder = UniformType("public.folder")
}
