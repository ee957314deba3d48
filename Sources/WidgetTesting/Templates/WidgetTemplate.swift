import FoundationEssentials
import Glibc
import WidgetKitCore
import WidgetPlatform

/// Makes the files of a new extension from those in `share/today/templates`, in a folder for each kind and language.
///
/// In names and contents, `__NAME__` stands for the name, `__PROGRAM__` for it in small letters, `__IDENTIFIER__` for
/// the identifier of the bundle, and `__DEPENDENCY__` and `__PACKAGE__` for the Swift package with WidgetKitCore;
/// `__DOT__` is the dot of a hidden file.
public nonisolated struct WidgetTemplate: Sendable {
  /// The name: a letter, then letters and digits.
  public let name: String
  /// What it is: a widget, a share extension, or an action.
  public let kind: TemplateKind
  /// What it is written in.
  public let language: WidgetLanguage
  private let identifier: String
  private let share: String
  /// The path or URL of the Swift package; nil for the one that comes with the program.
  private let package: String?

  /// Prepares an extension.
  ///
  /// - Parameters:
  ///   - name: A letter, then at most 63 letters and digits.
  ///   - kind: What it is.
  ///   - language: What it is written in.
  ///   - identifier: The identifier of its bundle; nil for one below `com.example`.
  ///   - share: The folder `share/today` of the program.
  ///   - package: The path or URL of a package with WidgetKitCore; nil for the one that comes with the program.
  /// - Throws: ``HarnessFailure`` if the name or the identifier cannot be used, or the kind is not there for the language.
  public init(
    name: String,
    kind: TemplateKind = .widget,
    language: WidgetLanguage,
    identifier: String?,
    share: String,
    package: String?
  ) throws(HarnessFailure) {
    guard Self.isName(name) else {
      throw HarnessFailure(
        "\(SafeText(name)): expected a name of a letter, then at most 63 letters and digits"
      )
    }
    if let refusal = kind.refusal(of: language) { throw HarnessFailure(refusal) }
    let identifier = identifier ?? "com.example.\(name)"
    guard InfoPlist.isIdentifier(identifier), identifier.utf8.count <= 255 else {
      throw HarnessFailure(
        "\(SafeText(identifier)): expected letters, digits, - and . in reverse-DNS order, "
          + "like com.example.\(name)"
      )
    }
    self.name = name
    self.kind = kind
    self.language = language
    self.identifier = identifier
    self.share = share
    self.package = package
  }

  /// Writes the files into a folder, all of them or none.
  ///
  /// - Parameter folder: An existing folder.
  /// - Returns: The names of what was made in it.
  /// - Throws: ``HarnessFailure`` if one of them exists, or cannot be written.
  public func write(to folder: String) throws(HarnessFailure) -> [String] {
    let template = "\(share)/templates/\(kind.rawValue)/\(language.rawValue)"
    let names = try children(template)
    guard !names.isEmpty else {
      throw HarnessFailure(
        "\(template) has no template; install the program with its share folder (make install)"
      )
    }
    for made in names.map(filled) where exists("\(folder)/\(made)") {
      throw HarnessFailure("\(made) exists already; choose another name, or move it away")
    }
    let scratch = "\(folder)/.\(name).\(getpid()).new"
    defer { try? FileManager.default.removeItem(atPath: scratch) }
    try makeFolder(scratch)
    for name in names { try copy("\(template)/\(name)", into: scratch) }
    for made in names.map(filled) {
      guard unsafe rename("\(scratch)/\(made)", "\(folder)/\(made)") == 0 else {
        throw failure("make", "\(folder)/\(made)", errno)
      }
    }
    return names.map(filled)
  }

  // MARK: - Files

  private func copy(_ path: String, into folder: String) throws(HarnessFailure) {
    let made = "\(folder)/\(filled(path.split(separator: "/").last.map(String.init) ?? ""))"
    var status = stat()
    guard unsafe stat(path, &status) == 0 else {
      throw failure("read", path, errno)
    }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      guard let bytes = FileManager.default.contents(atPath: path) else {
        throw HarnessFailure("\(path) cannot be read")
      }
      let text = filled(String(decoding: bytes, as: UTF8.self))
      return try write(Data(text.utf8), to: made, isExecutable: status.st_mode & 0o100 != 0)
    }
    try makeFolder(made)
    for name in try children(path) { try copy("\(path)/\(name)", into: made) }
    guard ExtensionBundle.isNamed(made), let kit = language.kit else { return }
    guard let bytes = FileManager.default.contents(atPath: "\(share)/\(kit)") else {
      throw HarnessFailure("\(share)/\(kit) is missing; install the program again")
    }
    try write(bytes, to: "\(made)/\(kit)", isExecutable: false)
  }

  private func write(
    _ bytes: Data,
    to path: String,
    isExecutable: Bool
  ) throws(HarnessFailure) {
    do {
      try bytes.write(to: URL(filePath: path))
    } catch {
      throw failure("write", path, errno)
    }
    guard isExecutable else { return }
    // As the shell would make it: the bits of reading, for executing.
    var status = stat()
    _ = unsafe stat(path, &status)
    _ = unsafe chmod(path, status.st_mode | (status.st_mode & 0o444) >> 2)
  }

  private func makeFolder(_ path: String) throws(HarnessFailure) {
    guard unsafe mkdir(path, 0o777) == 0 else {
      throw failure("make", path, errno)
    }
  }

  private func exists(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0
  }

  private func failure(_ verb: String, _ path: String, _ number: Int32) -> HarnessFailure {
    HarnessFailure(HostError.file(verb, path, number).description)
  }

  private func children(_ folder: String) throws(HarnessFailure) -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    } catch {
      throw HarnessFailure(
        "\(folder) cannot be read; install the program with its share folder (make install)"
      )
    }
  }

  // MARK: - Words

  private func filled(_ text: String) -> String {
    let dependency = WidgetDependency(package ?? "\(share)/swift")
    let values = [
      ("__NAME__", name), ("__PROGRAM__", name.lowercased()), ("__IDENTIFIER__", identifier),
      ("__DEPENDENCY__", dependency.words), ("__PACKAGE__", dependency.package), ("__DOT__", "."),
    ]
    return values.reduce(text) { $0.replacing($1.0, with: $1.1) }
  }

  private static func isName(_ name: String) -> Bool {
    name.utf8.count <= 64 && name.first?.isLetter == true
      && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
  }
}
