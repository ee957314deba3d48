/// The uniform types that are known, and which of them conforms to which.
///
/// Conformance is what the table says. It is not derived from the parents of MIME types, where JSON is a program.
package struct TypeTable: Sendable {
  private var declarations: [UniformType: TypeDeclaration] = [:]
  private var typesByMIMEType: [String: UniformType] = [:]
  private var typesByExtension: [String: UniformType] = [:]
  /// Types that no app can change.
  private var fixed: Set<UniformType> = []

  /// The types of `UniformTypes.tsv`, which are Apple's, and those of this program.
  package static let standard: TypeTable = {
    var table = TypeTable()
    table.declarations.reserveCapacity(shipped.count)
    table.typesByMIMEType.reserveCapacity(shipped.count)
    table.typesByExtension.reserveCapacity(shipped.count)
    for declaration in shipped { table.add(declaration) }
    table.fixed = Set(table.declarations.keys)
    return table
  }()

  /// The lines of `UniformTypes.tsv` in order.
  static let shipped: [TypeDeclaration] = {
    let text = PackageResources.UniformTypes_tsv
    return text.split(separator: UInt8(ascii: "\n")).filter { $0.first != UInt8(ascii: "#") }.map {
      line in
      let columns = line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false).map(
        names
      )
      var declaration = TypeDeclaration(UniformType(columns.first?.first ?? ""))
      guard columns.count == 4 else { return declaration }
      declaration.parents = columns[1].map { UniformType($0) }
      declaration.mimeTypes = columns[2]
      declaration.extensions = columns[3]
      return declaration
    }
  }()

  /// The names in a column, separated by commas; `-` is none.
  private static func names(in column: ArraySlice<UInt8>) -> [String] {
    guard !column.elementsEqual([UInt8(ascii: "-")]) else { return [] }
    return column.split(separator: UInt8(ascii: ",")).map { name in
      String(decoding: name.drop { $0 == UInt8(ascii: " ") }, as: UTF8.self)
    }
  }

  /// The table with the types that apps declare, the exported ones first.
  ///
  /// The first declaration of a type counts. One of the standard types cannot be declared again, and a MIME type or an
  /// extension that has a type keeps it.
  ///
  /// - Parameters:
  ///   - exported: The types that belong to the apps.
  ///   - imported: Types of others that the apps know.
  /// - Returns: This table with their types.
  package func declaring(
    exported: [TypeDeclaration],
    imported: [TypeDeclaration] = []
  ) -> TypeTable {
    var table = self
    for declaration in exported + imported where table.declarations[declaration.type] == nil {
      table.add(declaration)
    }
    return table
  }

  /// Whether a type is one of the standard ones, which apps cannot declare.
  package func isStandard(_ type: UniformType) -> Bool { fixed.contains(type) }

  /// Whether anything is known of a type.
  package func knows(_ type: UniformType) -> Bool { declarations[type] != nil }

  /// All types that are declared, by name.
  package var identifiers: [String] { declarations.keys.map(\.identifier).sorted() }

  private mutating func add(_ declaration: TypeDeclaration) {
    declarations[declaration.type] = declaration
    for name in declaration.mimeTypes where typesByMIMEType[name] == nil {
      typesByMIMEType[name] = declaration.type
    }
    for name in declaration.extensions where typesByExtension[name] == nil {
      typesByExtension[name] = declaration.type
    }
  }

  // MARK: - Conformance

  /// Whether content of one type is also content of the other; every type conforms to itself.
  package func conforms(_ type: UniformType, to other: UniformType) -> Bool {
    type == other || ancestors(of: type).contains(other)
  }

  /// The type and all to which it conforms, the nearest first.
  package func ancestors(of type: UniformType) -> [UniformType] {
    var found = [type]
    var next = 0
    // Apps may declare types that conform to each other.
    while next < found.count, found.count < Self.ancestorLimit {
      for parent in declarations[found[next]]?.parents ?? [] where !found.contains(parent) {
        found.append(parent)
      }
      next += 1
    }
    return found
  }

  private static let ancestorLimit = 64

  // MARK: - Recognition

  /// The type of a MIME type, without its parameters; nil if the table has none.
  package func type(forMIMEType name: String) -> UniformType? {
    let plain = name.prefix { $0 != ";" && $0 != " " }
    return typesByMIMEType[plain.lowercased()]
  }

  /// The type of files whose names end so, of the longest ending that is known; nil if none is.
  package func type(forName name: String) -> UniformType? {
    let parts = name.lowercased().split(separator: ".", omittingEmptySubsequences: false)
      .dropFirst()
    for start in parts.indices {
      if let type = typesByExtension[parts[start...].joined(separator: ".")] { return type }
    }
    return nil
  }

  /// The extension with which a file of a type is written; nil if it has none.
  package func fileExtension(of type: UniformType) -> String? {
    ancestors(of: type).lazy.compactMap { declarations[$0]?.extensions.first }.first
  }

  /// What people call a type; nil if nobody has said.
  package func words(for type: UniformType) -> String? { declarations[type]?.words }
}
