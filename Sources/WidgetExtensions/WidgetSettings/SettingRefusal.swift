public import WidgetKitCore

/// Why a value cannot be that of a setting, in words that follow its place.
enum SettingRefusal {
  /// The words for a value that a declaration does not allow.
  ///
  /// - Parameters:
  ///   - value: The value; nil if it has another form.
  ///   - declaration: The setting.
  ///   - found: The value as the user wrote it; nil for a secret.
  /// - Returns: What was expected, or which name is not known and which was probably meant.
  static func words(
    _ value: JSONTree?,
    _ declaration: SettingDeclaration,
    found: String? = nil
  ) -> String {
    if let format = declaration.format, let read = value.flatMap(WidgetConfiguration.Value.init),
      let name = declaration.unknownName(in: read)
    {
      return unknown(name, format)
    }
    return "expected \(declaration.expectation)" + (found.map { ", found \($0)" } ?? "")
  }

  private static func unknown(_ name: String, _ format: SettingDeclaration.Format) -> String {
    switch format {
    case .timeZone:
      let near = nearestZone(to: name, among: ZoneNames.all)
      return "there is no time zone “\(name.prefix(80))”; "
        + (near.map { "did you mean “\($0)”?" } ?? "their names are such as Europe/Copenhagen")
    case .coordinates:
      return "“\(name.prefix(80))” is not a place; expected \(format.expectation): "
        + "latitude from -90 to 90, longitude from -180 to 180"
    case .folder: return "expected \(format.expectation)"
    }
  }

  /// The zone that was probably meant: another spelling, a city alone, or a name that is near.
  static func nearestZone(to name: String, among names: [String]) -> String? {
    func plain(_ name: some StringProtocol) -> String {
      name.lowercased().split { " _-".contains($0) }.joined(separator: "_")
    }
    func city(_ name: String) -> String { plain(name.split(separator: "/").last ?? "") }
    let wanted = plain(name)
    if let same = names.first(where: { plain($0) == wanted }) { return same }
    if let same = names.first(where: { city($0) == city(name) }) { return same }
    // The beginning of a city, before an old name that is a word alone, such as ROK.
    let beginning = city(name)
    if beginning.count >= 3,
      let found = names.first(where: { $0.contains("/") && city($0).hasPrefix(beginning) })
    {
      return found
    }
    if let near = NearName.nearest(to: name, among: names) { return near }
    let nearCity = NearName.nearest(to: city(name), among: names.map(city))
    return nearCity.flatMap { near in names.first { city($0) == near } }
  }
}

extension SettingDeclaration {
  /// What was probably meant by a text that the setting cannot have; nil if it can, and if nothing is near.
  public func suggestion(for text: String) -> String? {
    guard format == .timeZone, unknownName(in: .string(text)) != nil else { return nil }
    return SettingRefusal.nearestZone(to: text, among: ZoneNames.all)
  }
}

extension JSONTree {
  /// The value of a setting as it is stored.
  init(_ value: WidgetConfiguration.Value) {
    self =
      switch value {
      case .string(let text): .string(text)
      case .number(let number): .number(number)
      case .boolean(let flag): .boolean(flag)
      case .list(let texts): .array(texts.map { .string($0) })
      }
  }
}

extension WidgetConfiguration.Value {
  /// A value of a file as that of a setting; nil for objects, and for lists of anything but texts.
  init?(_ value: JSONTree) {
    switch value {
    case .string(let text): self = .string(text)
    case .number(let number): self = .number(number)
    case .boolean(let truth): self = .boolean(truth)
    case .array(let values):
      let texts = values.compactMap { if case .string(let text) = $0 { text } else { nil } }
      guard texts.count == values.count else { return nil }
      self = .list(texts)
    case .object, .null, .wholeNumber: return nil
    }
  }
}
