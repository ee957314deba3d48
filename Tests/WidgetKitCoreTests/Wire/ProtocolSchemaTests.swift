import Foundation
import Testing
import WidgetTestSupport

@testable import WidgetKitCore

/// The JSON Schema of the protocol, held against the messages of the library.
///
/// The checks themselves are made by Python's jsonschema.
@Suite(.timeLimit(.minutes(5))) struct ProtocolSchemaTests {
  private static func schema() throws -> [String: Any] {
    let path = BuiltTool.package.appending(path: "Docs/Schemas/protocol.json")
    let value = try JSONSerialization.jsonObject(with: Data(contentsOf: path))
    return try #require((value as? [String: Any])?["$defs"] as? [String: Any])
  }

  private static func members(_ rule: Any?) -> Set<String> {
    let rule = rule as? [String: Any]
    return Set((rule?["properties"] as? [String: Any] ?? [:]).keys)
  }

  /// What is wrong with each value by a rule of the schema; empty if nothing is.
  private static func problems(
    _ cases: [(rule: String, value: Any)],
    isStrict: Bool
  ) throws -> [String] {
    let world = try TestWorld()
    let lines = try cases.map { entry in
      String(
        decoding: try JSONSerialization.data(
          withJSONObject: ["rule": entry.rule, "value": entry.value]
        ),
        as: UTF8.self
      )
    }
    let file = "\(world.path)/cases"
    try Data(lines.joined(separator: "\n").utf8).write(to: URL(filePath: file))
    let script = BuiltTool.package.appending(path: "Tests/ScriptTests/protocol_schema.py")
    let run = try ProgramRun(
      ProgramDescription(
        "/usr/bin/python3",
        ["-B", script.path(percentEncoded: false), file] + (isStrict ? ["--strict"] : [])
      ),
      patience: 30
    )
    try #require(run.status == .exited(code: 0), "\(run.errorText)")
    let found = run.outputText.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    try #require(found.count == cases.count)
    return found.map(String.init)
  }

  private static let samples =
    MessageSample.all
    + NodeSample.all.map { node in
      MessageSample(
        method: SetViewNotification.method,
        json: #"{"jsonrpc":"2.0","method":"setView","params":{"view":\#(node)}}"#
      ) { OutgoingLine.notification(try $0.decode(SetViewNotification.self)) }
    }

  /// The value that a rule is for, in a message.
  private static func part(_ sample: MessageSample, of line: [UInt8]) throws -> (String, Any) {
    let message = try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any]
    return if sample.isAnswer {
      ("\(sample.method).result", try #require(message?["result"]))
    } else {
      ("\(sample.method).params", try #require(message?["params"]))
    }
  }

  @Test func `the schema has every message and member of the library, and no others`() throws {
    let schema = try Self.schema()
    let methods = ["toWidget", "toHost"].flatMap { direction in
      let rule = schema[direction] as? [String: Any]
      let properties = rule?["properties"] as? [String: Any]
      return (properties?["method"] as? [String: Any])?["enum"] as? [String] ?? []
    }
    #expect(Set(MessageSample.all.filter { !$0.isAnswer }.map(\.method)) == Set(methods))
    let types = schema.keys.filter { $0.hasPrefix("node.") }
    let ofTypes = types.reduce(into: Set<String>()) { $0.formUnion(Self.members(schema[$1])) }
    let members = ofTypes.union(Self.members(schema["traits"])).union(["type"])
    #expect(members == Set(ViewNode.memberNames))
    let used = try NodeSample.all.compactMap { node in
      try JSONSerialization.jsonObject(with: Data(node.utf8)) as? [String: Any]
    }
    for type in types {
      let node = used.first { "node.\($0["type"] as? String ?? "")" == type }
      let missing = Self.members(schema[type]).subtracting(node?.keys.map { $0 } ?? [])
      #expect(missing.isEmpty, "there is no sample of \(missing) in \(type)")
    }
  }

  @Test func `the schema allows what the library writes, and has all members of it`() throws {
    let messages = try Self.samples.map { sample in
      let written = try sample.rewritten(IncomingLine(Array(sample.json.utf8)[...]))
      return (sample, written)
    }
    let whole = try messages.map { ("message", try JSONSerialization.jsonObject(with: Data($0.1))) }
    let parts = try messages.map { try Self.part($0.0, of: $0.1) }
    let problems = try Self.problems(whole + parts, isStrict: true)
    for (problem, message) in zip(problems, messages + messages) where !problem.isEmpty {
      Issue.record("\(problem) in \(String(decoding: message.1, as: UTF8.self))")
    }
  }

  @Test func `the library reads what the schema allows, and refuses what it does not`() throws {
    var cases: [(rule: String, value: Any)] = []
    var isRead: [Bool] = []
    for sample in Self.samples {
      let (rule, value) = try Self.part(sample, of: Array(sample.json.utf8))
      for changed in Changes.all(of: value) {
        var message: [String: Any] = ["jsonrpc": "2.0", "id": 7]
        if !sample.isAnswer { message["method"] = sample.method }
        message[sample.isAnswer ? "result" : "params"] = changed
        let line = try JSONSerialization.data(withJSONObject: message)
        guard let incoming = try? IncomingLine(Array(line)[...]) else { continue }
        cases.append((rule, changed))
        isRead.append((try? sample.rewritten(incoming)) != nil)
      }
    }
    try #require(cases.count > 3000)
    let problems = try Self.problems(cases, isStrict: false)
    for (index, problem) in problems.enumerated() where problem.isEmpty != isRead[index] {
      // The library reads margins as it reads paddings, which may be one number, and roles to come.
      let others = ["marginInsets: 7 ", "proposed: 7 ", "role: 'text' "]
      if isRead[index], others.contains(where: problem.hasPrefix) {
        continue
      }
      let value = try JSONSerialization.data(
        withJSONObject: cases[index].value,
        options: .sortedKeys
      )
      let text = "\(cases[index].rule): \(String(decoding: value, as: UTF8.self))"
      let what = isRead[index] ? "read, but forbidden: \(problem)" : "allowed, but refused"
      Issue.record("\(what): \(text)")
    }
  }
}

/// Values that differ from another one in one place.
private enum Changes {
  private static var replacements: [Any] { [7, -1, 2.5, "text", true, [Any](), [String: Any]()] }

  static func all(of value: Any) -> [Any] {
    [value] + changed(value)
  }

  private static func changed(_ value: Any) -> [Any] {
    var found: [Any] = []
    if let object = value as? [String: Any] {
      for (name, inner) in object {
        var without = object
        without[name] = nil
        found.append(without)
        for other in replacements + changed(inner) {
          found.append(object.merging([name: other]) { $1 })
        }
      }
    } else if let array = value as? [Any] {
      for (index, inner) in array.enumerated() {
        for other in replacements + changed(inner) {
          var copy = array
          copy[index] = other
          found.append(copy)
        }
      }
    }
    return found
  }
}
