import FoundationEssentials
import WidgetKitCore
import WidgetPlatform

/// The values of a scenario by their places, of which each that is wrong is named with its place.
nonisolated struct ScenarioValues {
  private let file: JSON5File
  /// How the file is called in messages.
  private let name: String

  /// The most bytes of a file.
  private static let byteLimit = 1 << 20

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - name: How it is called in messages.
  /// - Throws: ``HarnessFailure`` that says why it cannot be read.
  init(_ path: String, name: String) throws(HarnessFailure) {
    guard let bytes = UserFile.bytes(path, byteLimit: Self.byteLimit) else {
      throw HarnessFailure(unreadable: path, name: name, byteLimit: Self.byteLimit)
    }
    do throws(JSON5File.Failure) {
      file = try JSON5File(bytes, path: name)
    } catch {
      throw HarnessFailure(error.words)
    }
    self.name = name
  }

  /// The value at a path; nil if there is none.
  subscript(_ path: MemberPath) -> JSONTree? { file.value[path] }

  /// The first member that is given more than once; nil if none is.
  var firstRepeated: MemberPath? { file.outline.repeated.first }

  /// The members of an object, none of which has another name than `names`.
  func members(
    _ path: MemberPath,
    _ names: [String]
  ) throws(HarnessFailure) -> [JSONTree.Member] {
    guard case .object(let members)? = self[path] else {
      throw expected(names.isEmpty ? "{}" : "an object", path)
    }
    for name in members.map(\.name).sorted() where !names.contains(name) {
      let near = NearName.nearest(to: name, among: names).map { "; did you mean “\($0)”?" }
      let known = names.isEmpty ? "" : "; there is " + names.joined(separator: ", ")
      throw fault(path.member(name), "unknown member\(near ?? known)", isOfName: true)
    }
    return members
  }

  func text(_ path: MemberPath) throws(HarnessFailure) -> String {
    guard case .string(let text)? = self[path] else { throw expected("a text", path) }
    return text
  }

  /// A text, or a list of texts.
  func texts(_ path: MemberPath) throws(HarnessFailure) -> [String] {
    guard case .array(let list)? = self[path] else { return [try text(path)] }
    var texts: [String] = []
    for index in list.indices { texts.append(try text(path.element(index))) }
    return texts
  }

  func truth(_ path: MemberPath) throws(HarnessFailure) -> Bool {
    guard case .boolean(let truth)? = self[path] else {
      throw expected("true or false", path)
    }
    return truth
  }

  func whole(
    _ path: MemberPath,
    in range: ClosedRange<Int>
  ) throws(HarnessFailure) -> Int {
    guard case .number(let number)? = self[path], let whole = Int(exactly: number),
      range.contains(whole)
    else { throw expected("a whole number from \(range.lowerBound) to \(range.upperBound)", path) }
    return whole
  }

  func date(_ path: MemberPath) throws(HarnessFailure) -> Date {
    let words = "a time such as \"2031-02-03T04:05:06Z\""
    guard let date = InternetDate(try text(path))?.date else { throw expected(words, path) }
    return date
  }

  func duration(_ path: MemberPath) throws(HarnessFailure) -> Duration {
    let parts = try text(path).split(separator: " ")
    let units: [String: Double] = [
      "ms": 0.001, "s": 1, "min": 60, "h": 3_600, "day": 86_400, "days": 86_400,
    ]
    guard parts.count == 2, let number = Double(parts[0]), let unit = units[String(parts[1])],
      number >= 0, number * unit <= 366 * 86_400
    else {
      throw expected("a time such as \"5 min\", \"30 s\" or \"1 day\", at most 366 days", path)
    }
    return .milliseconds(Int64((number * unit * 1_000).rounded()))
  }

  /// An object of settings.
  func settings(_ path: MemberPath) throws(HarnessFailure) -> ScenarioSettings {
    guard let value = self[path], case .object = value else {
      throw expected("an object", path)
    }
    return ScenarioSettings(value, at: path, in: name, file.outline)
  }

  // MARK: - Faults

  func place(_ path: MemberPath) -> String {
    file.outline[path].map { "\(name):\($0.value)" } ?? name
  }

  func expected(_ what: String, _ path: MemberPath) -> HarnessFailure {
    guard self[path] != nil else {
      return fault(path, "is missing; expected \(what)")
    }
    return fault(
      path,
      "expected \(what)" + (file.outline[path].map { ", found \($0.words)" } ?? "")
    )
  }

  func fault(_ path: MemberPath, _ words: String, isOfName: Bool = false) -> HarnessFailure {
    var known = path
    while file.outline[known] == nil, let parent = known.parent { known = parent }
    let entry = file.outline[known]
    let found = isOfName ? entry?.name ?? entry?.value : entry?.value
    let member = "\(path)"
    return HarnessFailure(
      "\(name):\(found.map { "\($0): " } ?? " ")\(member.isEmpty ? "" : "\(member): ")\(words)"
    )
  }
}
