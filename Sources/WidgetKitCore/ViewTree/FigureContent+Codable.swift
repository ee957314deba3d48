extension GaugeContent {
  init(_ members: borrowing ViewNode.Reader) throws {
    guard let value = try members.number(.value) else {
      throw members.expected("a number", forKey: .value)
    }
    self.init(
      value: value,
      minimum: try members.number(.minimum) ?? 0,
      maximum: try members.number(.maximum) ?? 1,
      label: try members.value(.label),
      valueLabel: try members.value(.valueLabel),
      thresholds: try members.list(.thresholds, of: "thresholds")
    )
  }

  func write(to members: inout ViewNode.Writer) throws {
    try members.encode("gauge", forKey: .type)
    try members.encode(value, forKey: .value)
    try members.encode(minimum, forKey: .minimum, unless: 0)
    try members.encode(maximum, forKey: .maximum, unless: 1)
    try members.encodeIfPresent(label, forKey: .label)
    try members.encodeIfPresent(valueLabel, forKey: .valueLabel)
    try members.encode(thresholds, forKey: .thresholds, unless: [])
  }
}

extension SparklineContent {
  init(_ members: borrowing ViewNode.Reader) throws {
    self.init(
      values: try members.numbers(.values),
      minimum: try members.number(.minimum),
      maximum: try members.number(.maximum),
      height: try members.extent(.height) ?? 1
    )
  }

  func write(to members: inout ViewNode.Writer) throws {
    try members.encode("sparkline", forKey: .type)
    try members.encode(values, forKey: .values)
    try members.encodeIfPresent(minimum, forKey: .minimum)
    try members.encodeIfPresent(maximum, forKey: .maximum)
    try members.encode(height, forKey: .height, unless: 1)
  }
}

extension ChartContent {
  init(_ members: borrowing ViewNode.Reader) throws {
    self.init(
      series: try members.list(.series, of: "series"),
      minimum: try members.number(.minimum),
      maximum: try members.number(.maximum),
      height: try members.extent(.height) ?? 4,
      kind: try members.choice(.kind) ?? .line,
      showsAxis: try members.flag(.showsAxis) ?? false,
      showsLegend: try members.flag(.showsLegend) ?? true,
      unit: try members.value(.unit)
    )
  }

  func write(to members: inout ViewNode.Writer) throws {
    try members.encode("chart", forKey: .type)
    try members.encode(series, forKey: .series, unless: [])
    try members.encodeIfPresent(minimum, forKey: .minimum)
    try members.encodeIfPresent(maximum, forKey: .maximum)
    try members.encode(height, forKey: .height, unless: 4)
    try members.encode(kind, forKey: .kind, unless: .line)
    try members.encode(showsAxis, forKey: .showsAxis, unless: false)
    try members.encode(showsLegend, forKey: .showsLegend, unless: true)
    try members.encodeIfPresent(unit, forKey: .unit)
  }
}

extension ChartSeries: ViewReadable {
  private enum CodingKeys: Int, ViewMemberKey {
    case name, values, style

    static let names = listNames()
  }

  /// Reads a series; `values` is required.
  public init(from decoder: any Decoder) throws {
    try self.init(ViewSource(decoder))
  }

  init(_ source: ViewSource) throws {
    let members = try source.requiredMembers(CodingKeys.self)
    self.init(
      name: try members.value(.name),
      values: try members.numbers(.values),
      style: try members.value(.style) ?? .inherited
    )
  }

  /// Writes the values, and all other members that differ from their defaults.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encodeIfPresent(name, forKey: .name)
    try members.encode(values, forKey: .values)
    try members.encode(style, forKey: .style, unless: .inherited)
  }
}

extension GaugeThreshold: ViewReadable {
  private enum CodingKeys: Int, ViewMemberKey {
    case at, foreground

    static let names = listNames()
  }

  /// Reads `{"at":0.9,"foreground":"red"}`.
  public init(from decoder: any Decoder) throws {
    try self.init(ViewSource(decoder))
  }

  init(_ source: ViewSource) throws {
    let members = try source.requiredMembers(CodingKeys.self)
    guard let at = try members.number(.at) else { throw members.expected("a number", forKey: .at) }
    guard let foreground: Color = try members.value(.foreground) else {
      throw members.expected("a colour", forKey: .foreground)
    }
    self.init(at: at, foreground: foreground)
  }

  /// Writes both members.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(at, forKey: .at)
    try members.encode(foreground, forKey: .foreground)
  }
}

extension ImageContent {
  init(_ members: borrowing ViewNode.Reader) throws {
    self.init(
      path: try members.string(.path),
      data: try members.string(.data),
      alt: try members.value(.alt),
      height: try members.extent(.height)
    )
  }

  func write(to members: inout ViewNode.Writer) throws {
    try members.encode("image", forKey: .type)
    try members.encodeIfPresent(path, forKey: .path)
    try members.encodeIfPresent(data, forKey: .data)
    try members.encodeIfPresent(alt, forKey: .alt)
    try members.encodeIfPresent(height, forKey: .height)
  }
}
