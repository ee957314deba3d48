package import ExtensionContent
import Glibc
import Synchronization

/// One attachment with its representations (NSItemProvider), of which none is made before it is asked for.
package nonisolated final class ItemProvider: Sendable {
  /// Where the bytes of a representation come from.
  package enum Source: Sendable {
    case spool(RequestSpool)
    /// A file that the user has named.
    case file(String)
    /// A pipe, of which the beginning was read.
    case pipe(PipedContent)

    private static func byteCount(ofFile path: String) -> Int? {
      var status = stat()
      return unsafe stat(path, &status) == 0 ? Int(clamping: status.st_size) : nil
    }

    /// Its bytes; nil if that is not known.
    var byteCount: Int? {
      switch self {
      case .spool(let spool): spool.size
      case .file(let path): Self.byteCount(ofFile: path)
      case .pipe: nil
      }
    }
  }

  /// The bytes of some types.
  package struct Representation: Sendable {
    /// The types of these bytes, the most faithful first.
    package var types: [UniformType]
    package var source: Source

    package init(types: [UniformType], source: Source) {
      (self.types, self.source) = (types, source)
    }
  }

  /// The representations, the most faithful first.
  package let representations: [Representation]
  /// The bytes of the first one; nil if that is not known.
  package let size: Int?
  package let suggestedName: String?
  /// The file of the user that has the first representation, and that an editor may read in place.
  let file: EditedFile?
  private let made = Mutex<[UniformType: Int]>([:])

  /// Creates an attachment.
  ///
  /// - Parameters:
  ///   - representations: At least one, the most faithful first.
  ///   - size: The bytes of the first one; nil if that is not known.
  ///   - suggestedName: The name of its file.
  ///   - file: The file of the first one, where the user has permitted that it is edited in place.
  package init(
    _ representations: [Representation],
    size: Int?,
    suggestedName: String? = nil,
    inPlace file: EditedFile? = nil
  ) {
    (self.representations, self.size) = (representations, size)
    (self.suggestedName, self.file) = (suggestedName, file)
  }

  /// All types, the most faithful first.
  package var types: [UniformType] {
    var all: [UniformType] = []
    for type in representations.flatMap(\.types) where !all.contains(type) { all.append(type) }
    return all
  }

  /// Whether a type is one of the first representation.
  func isFirst(_ type: UniformType) -> Bool { representations.first?.types.contains(type) == true }

  /// How often representations of a type were made.
  package func timesMade(_ type: UniformType) -> Int { made.withLock { $0[type, default: 0] } }

  /// Notes that a representation is made.
  func noteMade(_ type: UniformType) { made.withLock { $0[type, default: 0] += 1 } }

  /// The first registered type that is of a type, and its bytes; nil if there is none.
  func representation(
    conformingTo type: UniformType,
    _ table: TypeTable
  ) -> (type: UniformType, source: Source)? {
    for representation in representations {
      if let exact = representation.types.first(where: { $0 == type }) {
        return (exact, representation.source)
      }
    }
    for representation in representations {
      if let found = representation.types.first(where: { table.conforms($0, to: type) }) {
        return (found, representation.source)
      }
    }
    return nil
  }
}
