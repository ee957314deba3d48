import WidgetKitCore

/// Metrics in the text formats of Prometheus, 0.0.4 and 1.0.0.
struct PrometheusText: Hashable, Sendable {
  /// A line: `name{label="value"} number [milliseconds]`.
  struct Sample: Hashable, Sendable {
    var name: String
    var labels: [String: String]
    var value: Double
  }

  /// The samples in their order.
  private(set) var samples: [Sample] = []
  /// The names of those that cannot be read.
  private(set) var unreadable: Set<String> = []

  /// The most samples that are read.
  private static let limit = 20_000

  /// Reads a text; a line that cannot be read affects only that line.
  init(_ text: String) {
    for line in text.unicodeScalars.split(separator: "\n") {
      guard samples.count < Self.limit else { return }
      var scan = PrometheusScan(line)
      if let sample = scan.sample() {
        samples.append(sample)
      } else {
        var name = PrometheusScan(line)
        if let name = name.name() { unreadable.insert(name) }
      }
    }
  }
}

/// Reads names, labels and numbers of Prometheus in a line.
///
/// By scalar values: a mark at the beginning of a label belongs to the label, and not to the quote before it.
struct PrometheusScan {
  private var rest: Substring.UnicodeScalarView

  init(_ text: Substring.UnicodeScalarView) {
    rest = text
  }

  init(_ text: String) {
    rest = text.unicodeScalars[...]
  }

  /// Whether nothing but blanks is left.
  var isAtEnd: Bool { rest.allSatisfy(\.isWhitespace) }

  /// Takes a sample; nil for a comment, an empty line, and one that cannot be read.
  mutating func sample() -> PrometheusText.Sample? {
    guard let (name, labels) = series() else { return nil }
    skipSpace()
    let word = rest.prefix { !$0.isWhitespace }
    guard let value = Self.number(String(word)) else { return nil }
    return PrometheusText.Sample(name: name, labels: labels, value: value)
  }

  /// Takes a name of letters, digits, `_` and `:`; nil if there is none.
  mutating func name() -> String? {
    skipSpace()
    let name = rest.prefix { scalar in
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "_", ":": true
      default: false
      }
    }
    guard let first = name.first, !("0"..."9" ~= first) else { return nil }
    rest = rest[name.endIndex...]
    return String(name)
  }

  /// Takes a sign if it is next.
  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    skipSpace()
    guard rest.first == scalar else { return false }
    rest = rest.dropFirst()
    return true
  }

  /// Takes a name with its labels; nil if they cannot be read.
  ///
  /// A name with other signs is in quotes in the braces: `{"http.requests", method="get"}`.
  mutating func series() -> (name: String, labels: [String: String])? {
    let plain = name()
    var inner: String?
    guard let labels = labels(&inner), (plain == nil) != (inner == nil), let name = plain ?? inner
    else { return nil }
    return (name, labels)
  }

  /// Takes the labels in braces, and a name in quotes among them; without braces there are no labels, and nil means that
  /// they cannot be read.
  mutating func labels(_ inner: inout String?) -> [String: String]? {
    guard take("{") else { return [:] }
    var labels: [String: String] = [:]
    while !take("}") {
      let isQuoted = take("\"")
      guard let name = isQuoted ? quoted() : name() else { return nil }
      if take("=") {
        guard take("\""), let value = quoted() else { return nil }
        labels[name] = value
      } else {
        guard isQuoted, inner == nil, !name.isEmpty else { return nil }
        inner = name
      }
      _ = take(",")
    }
    return labels
  }

  /// Whether a sign is next.
  func isAt(_ scalar: Unicode.Scalar) -> Bool {
    rest.first { !$0.isWhitespace } == scalar
  }

  /// Takes a word such as `as`, and the name behind it, in quotes or without; nil if the word is not next.
  mutating func name(behind word: String) -> String? {
    var copy = self
    guard copy.name() == word else { return nil }
    self = copy
    return (take("\"") ? quoted() : name()) ?? ""
  }

  /// Takes the rest of a text in quotes; `\\`, `\"` and `\n` are escapes.
  private mutating func quoted() -> String? {
    var value = String.UnicodeScalarView()
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\"": return String(value)
      case "\\":
        guard let escaped = rest.popFirst() else { return nil }
        switch escaped {
        case "n": value.append("\n")
        case "\\", "\"": value.append(escaped)
        // Prometheus keeps the backslash of a program that does not escape it: C:\Windows.
        default: value += ["\\", escaped]
        }
      default: value.append(scalar)
      }
    }
    return nil
  }

  private mutating func skipSpace() {
    rest = rest.drop(while: \.isWhitespace)
  }

  private static func number(_ text: String) -> Double? {
    switch text {
    case "NaN": .nan
    case "+Inf", "Inf": .infinity
    case "-Inf": -.infinity
    default: Double(text)
    }
  }
}

/// Which metrics are shown: `node_load1, rate(node_cpu_seconds_total{mode="user"}) as "User"`.
struct PrometheusQuery: Hashable, Sendable {
  var name: String
  var labels: [String: String]
  /// Whether the rate of a counter is meant.
  var isRate: Bool
  /// The name that a person reads; nil for the name of the metric and its labels.
  var title: String?

  /// Why a text is not a list of metrics.
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  /// Reads a list, with commas between its items.
  static func list(_ text: String) throws(Failure) -> [PrometheusQuery] {
    var scan = PrometheusScan(text)
    var queries: [PrometheusQuery] = []
    repeat {
      guard var name = scan.name() ?? (scan.isAt("{") ? "" : nil) else {
        throw failure("expected the name of a metric", queries)
      }
      let isRate = name == "rate" && scan.take("(")
      if isRate {
        guard let inner = scan.name() ?? (scan.isAt("{") ? "" : nil) else {
          throw failure("expected rate(METRIC)", queries)
        }
        name = inner
      }
      var quoted: String?
      guard let labels = scan.labels(&quoted), quoted == nil || name.isEmpty else {
        throw failure("expected labels such as {device=\"eth0\"}", queries)
      }
      if let quoted { name = quoted }
      guard !name.isEmpty else { throw failure("expected the name of a metric", queries) }
      if isRate, !scan.take(")") { throw failure("expected ) after rate(…", queries) }
      var query = PrometheusQuery(name: name, labels: labels, isRate: isRate)
      if let word = scan.name(behind: "as") {
        guard !word.isEmpty else { throw failure("expected a name after as", queries) }
        query.title = word
      }
      queries.append(query)
    } while scan.take(",")
    guard scan.isAtEnd else { throw failure("expected a comma", queries) }
    return queries
  }

  private static func failure(_ words: String, _ before: [PrometheusQuery]) -> Failure {
    Failure(description: "metrics: \(words) in item \(before.count + 1)")
  }

  /// The samples that are meant, each with its name for a person.
  func samples(in text: PrometheusText) -> [(title: String, PrometheusText.Sample)] {
    let found = text.samples.filter { sample in
      sample.name == name
        // As in its queries, a label that is missing is the same as an empty one.
        && labels.allSatisfy { (sample.labels[$0.key] ?? "").hasSameScalars(as: $0.value) }
    }
    return found.map { sample in
      // The labels that tell several apart.
      let others = sample.labels.filter { labels[$0.key] == nil }.sorted { $0.key < $1.key }
      let words = others.map(\.value).joined(separator: " ")
      let title = title ?? name
      return (found.count == 1 || words.isEmpty ? title : "\(title) \(words)", sample)
    }
  }
}
