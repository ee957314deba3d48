import WidgetKitCore
import WidgetPlatform

/// Reads the file of a theme, and says what is wrong in it and where.
///
/// ```json5
/// {
///   name: "Midnight",
///   appearance: "dark",
///   background: "#10141c",
///   colors: { label: "#dfe4ee", accent: "#7aa2f7" },
/// }
/// ```
struct ThemeFile {
  /// What is wrong, in the order of the file: `/a/themes/mine.json:3:8: name: expected …`.
  private(set) var problems: [SafeText] = []
  /// The theme; nil if anything is wrong.
  private(set) var theme: ThemeDefinition?

  private static let members = ["name", "appearance", "background", "surface", "gauge", "colors"]
  private static let gaugeColors = 2...16
  private static let nameLimit = 40
  private static let problemLimit = 10

  /// Reads the bytes of the file at `path` as the theme `id`.
  init(_ bytes: [UInt8], id: String, path: String) {
    do throws(JSON5File.Failure) {
      let file = try JSON5File(bytes, path: path)
      var reading = Reading(outline: file.outline)
      let theme = reading.theme(file.value, id: id)
      let found = reading.found.sorted { ($0.0.line, $0.0.column) < ($1.0.line, $1.0.column) }
      problems = found.prefix(Self.problemLimit).map { SafeText("\(path):\($0.0): \($0.1)") }
      self.theme = found.isEmpty ? theme : nil
    } catch {
      problems = [SafeText(error.words)]
    }
  }

  private struct Reading {
    let outline: JSON5Outline
    var found: [(JSON5Outline.Place, String)] = []

    mutating func theme(_ value: JSONTree, id: String) -> ThemeDefinition? {
      guard case .object(let members) = value else {
        report(.top, "expected an object")
        return nil
      }
      for path in outline.repeated { report(path, "given twice; remove one of them", atName: true) }
      for name in members.map(\.name) where !ThemeFile.members.contains(name) {
        unknown(MemberPath.top.member(name), among: ThemeFile.members)
      }
      return ThemeDefinition(
        id: id,
        name: name(members["name"], id: id),
        isDark: isDark(members["appearance"]),
        background: members["background"].flatMap { color($0, MemberPath("background")) },
        surface: surface(members),
        gauge: gauge(members["gauge"]),
        colors: colors(members["colors"])
      )
    }

    private mutating func name(_ value: JSONTree?, id: String) -> SafeText {
      guard let value else { return SafeText(id) }
      if case .string(let text) = value, 1...ThemeFile.nameLimit ~= text.count {
        return SafeText(text)
      }
      report(MemberPath("name"), "expected a text of 1 to \(ThemeFile.nameLimit) characters")
      return ""
    }

    private mutating func isDark(_ value: JSONTree?) -> Bool {
      switch value {
      case .string("dark")?: return true
      case .string("light")?: return false
      case nil: report(.top, "“appearance” is missing: expected \"dark\" or \"light\"")
      default: report(MemberPath("appearance"), "expected \"dark\" or \"light\"")
      }
      return true
    }

    private mutating func surface(_ members: [JSONTree.Member]) -> Color? {
      guard let value = members["surface"] else { return nil }
      let path = MemberPath("surface")
      // Beside the terminal's own background it might not be seen, or text on it not be read.
      guard members["background"] != nil else {
        report(path, "needs “background”, the colour between the cards")
        return nil
      }
      return color(value, path)
    }

    private mutating func gauge(_ value: JSONTree?) -> [Color] {
      guard let value else { return [] }
      let path = MemberPath("gauge")
      guard case .array(let items) = value, ThemeFile.gaugeColors ~= items.count else {
        let (least, most) = (ThemeFile.gaugeColors.lowerBound, ThemeFile.gaugeColors.upperBound)
        report(path, "expected a list of \(least) to \(most) colours")
        return []
      }
      return items.enumerated().compactMap { index, item in
        // A name is that of a colour of the theme.
        if case .string(let name) = item, let semantic = SemanticColor(rawValue: name) {
          return .semantic(semantic)
        }
        return color(item, path.element(index), orName: true)
      }
    }

    private mutating func colors(_ value: JSONTree?) -> [SemanticColor: Color] {
      guard let value else { return [:] }
      let path = MemberPath("colors")
      guard case .object(let members) = value else {
        report(path, "expected an object")
        return [:]
      }
      var colors: [SemanticColor: Color] = [:]
      for member in members {
        let path = path.member(member.name)
        guard let semantic = SemanticColor(rawValue: member.name) else {
          unknown(path, among: SemanticColor.allCases.map(\.rawValue))
          continue
        }
        colors[semantic] = color(member.value, path)
      }
      return colors
    }

    private mutating func color(
      _ value: JSONTree,
      _ path: MemberPath,
      orName: Bool = false
    ) -> Color? {
      switch value {
      case .number(let number):
        if (0...255).contains(number), let index = UInt8(exactly: number) { return .indexed(index) }
      case .string(let text):
        let digits = text.utf8.dropFirst()
        if text.utf8.first == UInt8(ascii: "#"), digits.count == 6, digits.allSatisfy(Self.isHex),
          let hex = UInt32(text.dropFirst(), radix: 16)
        {
          return Color(hex: hex)
        }
      case .object, .array, .boolean, .null, .wholeNumber: break
      }
      report(
        path,
        "expected a colour such as \"#5aa9ff\", \(orName ? "a name such as \"green\", " : "")"
          + "or a number of the palette from 0 to 255"
      )
      return nil
    }

    private static func isHex(_ byte: UInt8) -> Bool {
      Unicode.Scalar(byte).properties.isASCIIHexDigit
    }

    private mutating func unknown(_ path: MemberPath, among names: [String]) {
      let name = path.name ?? ""
      let nearest = NearName.nearest(to: name, among: names)
      let words =
        nearest.map { "did you mean “\($0)”?" }
        ?? "expected one of \(names.joined(separator: ", "))"
      report(path, "unknown; \(words)", atName: true)
    }

    private mutating func report(_ path: MemberPath, _ words: String, atName: Bool = false) {
      let entry = outline[path] ?? path.parent.flatMap { outline[$0] }
      let place = atName ? entry?.name ?? entry?.value : entry?.value
      let label = "\(path)"
      let found = atName || outline[path] == nil || path == .top ? nil : entry?.words
      self.found.append(
        (
          place ?? JSON5Outline.Place(line: 1, column: 1),
          (label.isEmpty ? "" : "\(label): ") + words + (found.map { ", found \($0)" } ?? "")
        )
      )
    }
  }
}
