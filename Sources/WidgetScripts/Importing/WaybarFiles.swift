import WidgetKitCore
import WidgetPlatform

/// The bars of a configuration of Waybar, with those of the files that it includes.
///
/// A member of the file itself comes before one of an included file, and one of the first before one of the
/// next, as in Waybar.
struct WaybarFiles {
  /// The bars with all their members.
  private(set) var bars: [[JSONTree.Member]] = []
  /// The files that could not be included, in words.
  private(set) var remarks: [SafeText] = []

  private let environment: [String: String]
  private let read: (String) -> [UInt8]?
  private var fileCount = 0

  /// How deep files include each other.
  private static let depthLimit = 16
  /// The most files that are read.
  private static let fileLimit = 100

  /// Reads a configuration; `read` gives the bytes of an included file.
  init(
    _ bytes: [UInt8],
    path: String,
    environment: [String: String],
    read: @escaping (String) -> [UInt8]?
  ) throws(ImportedScripts.Failure) {
    self.environment = environment
    self.read = read
    let values: [JSONTree] =
      switch try Self.value(bytes, path) {
      case .array(let bars): bars
      case let bar: [bar]
      }
    for value in values {
      guard case .object(let members) = value else {
        throw ImportedScripts.Failure(
          description: "\(path): expected a bar, or a list of bars"
        )
      }
      let bar = including(members, of: [path])
      bars.append(bar)
    }
  }

  private static func value(
    _ bytes: [UInt8],
    _ path: String
  ) throws(ImportedScripts.Failure) -> JSONTree {
    do throws(JSON5File.Failure) {
      return try JSON5File(bytes, path: path).value
    } catch {
      throw ImportedScripts.Failure(description: error.words)
    }
  }

  /// A bar with the members of the files that it includes; `chain` are the files that lead here.
  private mutating func including(
    _ bar: [JSONTree.Member],
    of chain: [String]
  ) -> [JSONTree.Member] {
    var bar = bar
    let names: [JSONTree]
    let included = bar["include"]
    bar["include"] = nil
    switch included {
    case .array(let all)?: names = all
    case let one?: names = [one]
    case nil: return bar
    }
    for name in names {
      guard case .string(let name) = name else {
        let file = chain.last ?? ""
        remarks.append(SafeText("\(file): include: expected a path, or a list of paths"))
        continue
      }
      guard let included = members(of: name, chain) else { continue }
      bar = Self.joining(bar, included)
    }
    return bar
  }

  /// The members of an included file, with those that it includes; nil if it cannot be used.
  private mutating func members(
    of name: String,
    _ chain: [String]
  ) -> [JSONTree.Member]? {
    let path = path(name, besides: chain.last ?? "")
    func refuse(_ words: String) -> [JSONTree.Member]? {
      remarks.append(SafeText("include: \(words)"))
      return nil
    }
    guard !chain.contains(path) else {
      return refuse("\((chain + [path]).joined(separator: " → ")) includes itself")
    }
    guard chain.count <= Self.depthLimit else {
      return refuse("\(path): more than \(Self.depthLimit) files include each other")
    }
    guard fileCount < Self.fileLimit else {
      return refuse("\(path): more than \(Self.fileLimit) files")
    }
    fileCount += 1
    guard let bytes = read(path) else {
      return refuse("\(path) is not a readable file of at most 1 MiB")
    }
    do throws(ImportedScripts.Failure) {
      switch try Self.value(bytes, path) {
      case .object(let members): return including(members, of: chain + [path])
      default: return refuse("\(path): expected an object")
      }
    } catch {
      return refuse(error.description)
    }
  }

  /// An absolute path: `~` and `$NAME` at the beginning are those of the environment, and others are beside the
  /// file that includes it.
  private func path(_ name: String, besides file: String) -> String {
    var path = name
    if HomeFolder.isNeeded(for: path) {
      path = HomeFolder(environment).expanded(path)
    } else if path.hasPrefix("$") {
      let isBraced = path.hasPrefix("${")
      let rest = path.dropFirst(isBraced ? 2 : 1)
      let variable = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
      let end = rest[variable.endIndex...]
      if let value = environment[String(variable)], !isBraced || end.hasPrefix("}") {
        path = value + end.dropFirst(isBraced ? 1 : 0)
      }
    }
    if !path.hasPrefix("/") { path = "\(OwnPath.split(file).folder)/\(path)" }
    // `.` and `..` are left out, so that a circle is found.
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == "..", !parts.isEmpty { parts.removeLast() } else { parts.append(part) }
    }
    return "/" + parts.joined(separator: "/")
  }

  /// The members of two objects; of a value that both have the first counts, and objects are joined.
  private static func joining(
    _ first: [JSONTree.Member],
    _ second: [JSONTree.Member]
  ) -> [JSONTree.Member] {
    var joined = first
    for member in second {
      switch (joined[member.name], member.value) {
      case (nil, let value): joined[member.name] = value
      case (.object(let members)?, .object(let others)):
        joined[member.name] = .object(joining(members, others))
      default: break
      }
    }
    return joined
  }
}
