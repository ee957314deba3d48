package import WidgetKitCore

/// What is known of a uniform type: what it conforms to, and by what it is recognized.
package struct TypeDeclaration: Hashable, Sendable {
  package let type: UniformType
  /// The types to which it conforms, without those to which these conform.
  package var parents: [UniformType] = []
  /// The MIME types of such content, in lower case.
  package var mimeTypes: [String] = []
  /// The extensions of names of such files, in lower case, without the period.
  package var extensions: [String] = []
  /// What people call it; nil if nobody has said.
  package var words: String?

  package init(_ type: UniformType) { self.type = type }

  /// The largest number of types that a bundle may declare.
  static let countLimit = 200
  /// The largest number of parents, MIME types or extensions of a type.
  private static let listLimit = 32

  /// Reads the types that an app declares.
  ///
  /// - Parameter value: The value of `UTExportedTypeDeclarations` or `UTImportedTypeDeclarations`.
  /// - Returns: The valid ones in order, and a sentence about each of the others.
  package static func all(in value: PropertyValue) -> (valid: [TypeDeclaration], problems: [String])
  {
    guard let entries = value.array else { return ([], ["expected an array of types"]) }
    var (valid, problems): ([TypeDeclaration], [String]) = ([], [])
    for (index, entry) in entries.prefix(countLimit).enumerated() {
      guard let text = entry.dictionary?["UTTypeIdentifier"]?.string,
        let type = UniformType(validating: text)
      else {
        problems.append("type \(index + 1): UTTypeIdentifier is not a type identifier")
        continue
      }
      valid.append(TypeDeclaration(type, entry.dictionary ?? [:]))
    }
    if entries.count > countLimit {
      problems.append("\(entries.count) types; only the first \(countLimit) are used")
    }
    return (valid, problems)
  }

  private init(_ type: UniformType, _ values: [String: PropertyValue]) {
    self.type = type
    words = values["UTTypeDescription"]?.string
    parents = Self.strings(values["UTTypeConformsTo"]).compactMap { UniformType(validating: $0) }
    let tags = values["UTTypeTagSpecification"]?.dictionary ?? [:]
    mimeTypes = Self.strings(tags["public.mime-type"]).map { $0.lowercased() }
    extensions = Self.strings(tags["public.filename-extension"]).map {
      String($0.lowercased().drop { $0 == "." })
    }
  }

  /// A string, or the strings of an array: property lists have both.
  private static func strings(_ value: PropertyValue?) -> [String] {
    guard let value else { return [] }
    if let string = value.string { return [string] }
    return (value.array ?? []).compactMap(\.string).prefix(listLimit).map(\.self)
  }
}
