import Brokers
package import WidgetKitCore

extension WidgetBundle {
  /// What is wrong with the values that a script gives its format or its broker, which are read when it runs.
  package var scriptFaults: [BundleError] {
    guard let script else { return [] }
    return script.options.faults.map { fault in
      BundleError(
        .wrongValue,
        bundlePath: path,
        file: path,
        key: "today: \(fault.name)",
        found: fault.found.map { "“\($0.prefix(80))”" } ?? "missing",
        expected: fault.expected
      )
    }
  }
}

extension ScriptOptions {
  fileprivate struct Fault {
    var name: String
    /// The value; nil if it is missing.
    var found: String?
    var expected: String
  }

  fileprivate var faults: [Fault] {
    let others = format.map { format in
      parameters.keys.filter { !format.parameters.contains($0) }.sorted().map {
        Fault(name: $0, found: parameters[$0], expected: "another format than \(format.rawValue)")
      }
    }
    return (others ?? []) + formatFaults + brokerFaults
  }

  private var formatFaults: [Fault] {
    switch format {
    case .json: Self.json.compactMap(jsonFault)
    case .prometheus: prometheusFault.map { [$0] } ?? []
    default: []
    }
  }

  /// The values in which paths are.
  private static let json = ["rows", "columns", "template", "value"]

  private func jsonFault(_ name: String) -> Fault? {
    guard let value = parameters[name] else { return nil }
    do throws(JSONShape.Failure) {
      _ = try JSONShape([name: value])
      return nil
    } catch {
      return Self.fault(name, value, error.description)
    }
  }

  private var prometheusFault: Fault? {
    guard let value = parameters["metrics"] else {
      return Fault(name: "metrics", found: nil, expected: "names of metrics between commas")
    }
    do throws(PrometheusQuery.Failure) {
      _ = try PrometheusQuery.list(value)
      return nil
    } catch {
      return Self.fault("metrics", value, error.description)
    }
  }

  private var brokerFaults: [Fault] {
    var faults: [Fault] = []
    if let topic, let words = TopicRules.fault(topic) {
      faults.append(Fault(name: "topic", found: topic, expected: "a topic: \(words)"))
    }
    if let broker, (try? BrokerAddress(broker)) == nil {
      faults.append(
        Fault(name: "broker", found: broker, expected: "an address such as mqtts://broker.lan")
      )
    }
    return faults
  }

  /// A fault in the words of a card: `columns: a[: expected a name in quotes`.
  private static func fault(_ name: String, _ value: String, _ words: String) -> Fault {
    var rest = words[...]
    for start in ["\(name): ", "\(value): "] where rest.hasPrefix(start) {
      rest = rest.dropFirst(start.count)
    }
    let start = "expected "
    let expected = rest.hasPrefix(start) ? String(rest.dropFirst(start.count)) : "a path: \(rest)"
    return Fault(name: name, found: value, expected: expected)
  }
}
