/// What a user says about a script, by names: in its line, or in config.json.
package struct ScriptOptions: Hashable, Sendable {
  /// The name in the heading.
  package var title: SafeText?
  /// What it is for, in a sentence.
  package var purpose: SafeText?
  /// How its output is read; nil if that is found out from the output.
  package var format: ScriptFormat?
  /// The seconds between two runs.
  package var interval: Double?
  /// When it runs, in place of the interval.
  package var schedule: CronSchedule?
  /// The seconds that a run may take.
  package var timeout: Double?
  /// The rows that are shown: the first ones, or the last ones if it is negative.
  package var lines: Int?
  /// Whether it keeps printing.
  package var follow: Bool?
  /// Whether each block of a status command is a card of its own.
  package var split: Bool?
  /// The columns of the page that the card takes up.
  package var span: Int?
  /// The sign before the name of the card.
  package var icon: SafeText?
  /// The colour of the sign.
  package var tint: Color?
  /// Whether it is shown on the page without being added.
  package var show: Bool?
  /// Whether it runs in the sandbox.
  package var sandbox: Bool?
  /// Whether it asks for connections to other machines; outside of the sandbox it has them.
  package var network: Bool?
  /// The files and folders below the home folder that it asks to read; outside of the sandbox it reads all.
  package var files: [String]?
  /// The machine on which it runs; nil for this one.
  package var host: RemoteDestination?
  /// Whether several machines are compared in a table, instead of being shown below each other.
  package var table: Bool?
  /// The folder on that machine in which it is, as its source says; nil for a script that is on this one, and is sent
  /// there.
  package var folderThere: String?
  /// The topic of an MQTT broker whose messages are shown, in place of what the script would print; it is never run.
  package var topic: String?
  /// The address of that broker; nil for the one that config.json names.
  package var broker: String?
  /// Whether its number is kept, and shown as a line.
  package var history: Bool?
  /// When its number is worth a notification.
  package var alert: ScriptAlert?
  /// The colours of its number.
  package var thresholds: [GaugeThreshold]?
  /// Whether a line `~~~` of a plugin of SwiftBar that keeps printing ends a menu; otherwise it begins one.
  package var endsBlocks = false
  /// The N of the signal SIGRTMIN+N on which it runs again; nil if there is none.
  package var signal: Int?
  /// The values that formats have besides, as they were written.
  package var parameters: [String: String] = [:]

  /// The seconds that a run can be given, so that it ends before the host gives up the update.
  package static let timeouts = 1.0...25.0
  /// The signals that a script can have, as numbers above SIGRTMIN; glibc has 34 to 64.
  package static let signals = 1...30
  /// The names of every script.
  package static let names = [
    "title", "description", "format", "interval", "timeout", "lines", "follow", "split", "span",
    "icon", "tint", "show", "history", "alert", "thresholds", "sandbox", "network", "files", "host",
    "table", "signal", "topic", "broker",
  ]
  /// Whether a name is one of every script, or of a format.
  package static func isName(_ name: String) -> Bool {
    names.contains(name) || ScriptFormat.allParameters.contains(name)
  }

  /// The most bytes of a value of a format.
  private static let valueBytes = 4_096

  /// Nothing is set.
  package init() {}

  /// Sets a value by its name.
  ///
  /// - Returns: What was expected, if the value or the name cannot be used; then nothing has changed.
  package mutating func set(_ name: String, _ value: String) -> String? {
    let expected = take(name, value)
    if expected != nil { confine(name) }
    return expected
  }

  /// A value that confines a script and cannot be used confines it more, also if its name is misspelt.
  package mutating func confine(_ name: String) {
    switch Self.nameThatConfines(name) {
    case "sandbox": sandbox = true
    case "host": host = .unusable
    default: break
    }
  }

  /// The name of a value that confines scripts which another name is, or was probably meant to be; nil for others.
  package static func nameThatConfines(_ name: String) -> String? {
    guard !isName(name) || ["sandbox", "host"].contains(name) else { return nil }
    if NearName.distance(name, "sandbox") <= 2 { return "sandbox" }
    return NearName.distance(name, "host") <= 1 ? "host" : nil
  }

  private mutating func take(_ name: String, _ value: String) -> String? {
    switch name {
    case "title":
      let text = SafeText(name: value, orIfInvisible: "")
      return keep(\.title, text.isEmpty ? nil : text, "a text with visible characters")
    case "description": purpose = SafeText(value)
    case "format":
      let words = ScriptFormat.allCases.map(\.rawValue).joined(separator: ", ")
      return keep(\.format, ScriptFormat(rawValue: value), words)
    case "interval":
      return keep(\.interval, ScriptName.seconds(value), "a time such as 10s, 5m, 1h or 1d")
    case "timeout":
      let seconds = ScriptName.seconds(value).flatMap { Self.timeouts ~= $0 ? $0 : nil }
      return keep(\.timeout, seconds, "a time from 1s to 25s")
    case "lines":
      let count = Int(value).flatMap { (1...100) ~= $0.magnitude ? $0 : nil }
      return keep(\.lines, count, "1 to 100 for the first rows, -1 to -100 for the last")
    case "span":
      let spans = CardSpan.range
      let count = Int(value).flatMap { spans ~= $0 ? $0 : nil }
      return keep(\.span, count, "columns, from 1 to \(spans.upperBound)")
    case "icon": return keep(\.icon, CardMark.glyph(value), CardMark.glyphExpectation)
    case "tint": return keep(\.tint, CardMark.tint(value), CardMark.tintExpectation)
    case "follow": return keep(\.follow, Bool(value), "true or false")
    case "split": return keep(\.split, Bool(value), "true or false")
    case "show": return keep(\.show, Bool(value), "true or false")
    case "sandbox": return keep(\.sandbox, Bool(value), "true or false")
    case "network": return keep(\.network, Bool(value), "true or false")
    case "files":
      return keep(
        \.files,
        Self.files(value),
        "paths below the home folder such as ~/Music, ~/.netrc"
      )
    case "host":
      return keep(\.host, RemoteDestination(value), "a machine such as server or user@server")
    case "table": return keep(\.table, Bool(value), "true or false")
    case "topic": return keep(\.topic, Self.plain(value), "a topic without control characters")
    case "broker":
      return keep(\.broker, Self.plain(value), "an address such as mqtts://broker.lan")
    case "history": return keep(\.history, Bool(value), "true or false")
    case "alert": return keep(\.alert, ScriptAlert(value), "a comparison such as >90 or <=5")
    case "signal":
      let number = Int(value).flatMap { Self.signals ~= $0 ? $0 : nil }
      let words = "the N of SIGRTMIN+N, from 1 to \(Self.signals.upperBound)"
      return keep(\.signal, number, words)
    case "thresholds":
      let words = "numbers with colours such as 70:orange,90:red"
      return keep(\.thresholds, GaugeThreshold.list(value), words)
    default:
      guard ScriptFormat.allParameters.contains(name) else {
        let held = Self.nameThatConfines(name).map { "; until then “\($0)” confines it" } ?? ""
        return "one of \(Self.names.joined(separator: ", ")), or a name of its format\(held)"
      }
      guard value.utf8.count <= Self.valueBytes else {
        return "at most \(Self.valueBytes) bytes"
      }
      parameters[name] = value
    }
    return nil
  }

  /// Sets everything that others say, in place of what was said before.
  package mutating func set(_ others: ScriptOptions) {
    title = others.title ?? title
    purpose = others.purpose ?? purpose
    format = others.format ?? format
    // An interval that was said later is in force.
    schedule = others.interval == nil ? others.schedule ?? schedule : others.schedule
    interval = others.interval ?? interval
    timeout = others.timeout ?? timeout
    lines = others.lines ?? lines
    follow = others.follow ?? follow
    split = others.split ?? split
    span = others.span ?? span
    icon = others.icon ?? icon
    tint = others.tint ?? tint
    show = others.show ?? show
    sandbox = others.sandbox ?? sandbox
    network = others.network ?? network
    files = others.files ?? files
    host = others.host ?? host
    table = others.table ?? table
    topic = others.topic ?? topic
    broker = others.broker ?? broker
    history = others.history ?? history
    alert = others.alert ?? alert
    thresholds = others.thresholds ?? thresholds
    signal = others.signal ?? signal
    endsBlocks = endsBlocks || others.endsBlocks
    parameters.merge(others.parameters) { $1 }
  }

  /// A text of a few characters that can all be seen; nil for others.
  private static func plain(_ value: String) -> String? {
    guard (1...textBytes).contains(value.utf8.count),
      !value.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else { return nil }
    return value
  }

  /// The most bytes of a topic or an address.
  package static let textBytes = 1_024

  /// Paths below the home folder, separated by commas; nil if one is no such path.
  private static func files(_ value: String) -> [String]? {
    var files: [String] = []
    for path in value.split(separator: ",", maxSplits: fileLimit) {
      var path = path.drop { $0 == " " }
      while path.last == " " { path.removeLast() }
      if path.hasPrefix("~/") { path = path.dropFirst(2) }
      let parts = path.split(separator: "/").filter { $0 != "." }
      guard !path.hasPrefix("/"), !parts.isEmpty, !parts.contains(".."), !parts.contains("~")
      else { return nil }
      files.append(parts.joined(separator: "/"))
    }
    return files.isEmpty || files.count > fileLimit ? nil : files
  }

  /// The most files that a script asks for.
  private static let fileLimit = 64

  /// Sets what is said about the card of one block, and nothing that concerns the program, which others share.
  mutating func set(ofCard others: ScriptOptions) {
    title = others.title ?? title
    purpose = others.purpose ?? purpose
    interval = others.interval ?? interval
    lines = others.lines ?? lines
    span = others.span ?? span
    icon = others.icon ?? icon
    tint = others.tint ?? tint
    show = others.show ?? show
    history = others.history ?? history
    alert = others.alert ?? alert
    thresholds = others.thresholds ?? thresholds
  }

  private mutating func keep<Value>(
    _ path: WritableKeyPath<ScriptOptions, Value?>,
    _ value: Value?,
    _ expected: String
  ) -> String? {
    guard let value else { return expected }
    self[keyPath: path] = value
    return nil
  }
}
