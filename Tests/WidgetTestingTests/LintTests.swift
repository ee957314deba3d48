import Foundation
import Testing
import WidgetKitCore
import WidgetTestSupport
import WidgetTesting

/// The rules of `today lint`, each broken on purpose.
@Suite(.timeLimit(.minutes(2)))
struct LintTests {
  /// A share folder with a file of functions.
  private func options(_ world: TestWorld, runs: Bool) throws -> BundleLint.Options {
    try FileManager.default.createDirectory(
      atPath: "\(world.path)/share/today",
      withIntermediateDirectories: true
    )
    try world.write("# the kit\n", to: "\(world.path)/share/today/todaykit.py")
    var options = BundleLint.Options(
      harness: HarnessOptions(environment: world.environment(term: nil)),
      share: "\(world.path)/share/today"
    )
    options.runs = runs
    return options
  }

  private func lint(_ authored: AuthoredBundle, runs: Bool = false) async throws -> [LintFinding] {
    await BundleLint(authored.path, try options(authored.world, runs: runs)).run()
  }

  private let manifest = """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0">
    <dict>
      <key>CFBundleIdentifier</key>
      <string>org.test.Cups</string>
      <key>CFBundleDisplayName</key>
      <string>Cups</string>
      <key>CFBundleExecutable</key>
      <string>cups.py</string>
      <key>NSExtension</key>
      <dict>
        <key>NSExtensionPointIdentifier</key>
        <string>com.apple.widget-extension</string>
        <key>NSExtensionPrincipalClass</key>
        <string>Cups</string>
        <key>NSExtensionAttributes</key>
        <dict>
          <key>TodayDescription</key>
          <string>Counts cups.</string>
          <key>TodaySettings</key>
          <array>
            <dict>
              <key>name</key>
              <string>unit</string>
              <key>title</key>
              <string>Unit</string>
              <key>type</key>
              <string>string</string>
              <key>default</key>
              <string>cups</string>
            </dict>
          </array>
        </dict>
      </dict>
    </dict>
    </plist>
    """

  /// A bundle that breaks no rule.
  private func sound() throws -> AuthoredBundle {
    let authored = try AuthoredBundle()
    try authored.world.write(manifest, to: "\(authored.path)/Info.plist")
    try authored.scenario(#"{ "name": "n", "steps": [{ "appear": {} }] }"#)
    return authored
  }

  @Test func `a sound widget has no findings`() async throws {
    let authored = try sound()
    #expect(try await lint(authored) == [])
    authored.remove()
  }

  @Test func `a description in its former place is read, and a note says where it belongs`()
    async throws
  {
    let authored = try sound()
    let description = "<key>TodayDescription</key>\n          <string>Counts cups.</string>\n"
    try authored.world.write(
      manifest.replacing("          \(description)", with: "")
        .replacing("  <key>CFBundleExec", with: "  \(description)  <key>CFBundleExec"),
      to: "\(authored.path)/Info.plist"
    )
    #expect(try authored.bundle.infoPlist.widgetDescription == "Counts cups.")
    let findings = try await lint(authored)
    #expect(findings.map(\.rule) == [.formerPlace], "\(findings)")
    #expect(findings.first?.rule.severity == .note)
    #expect(findings.first?.place?.line == 8)
    #expect(findings.first?.advice == "move it to NSExtension.NSExtensionAttributes")
    authored.remove()
  }

  /// What is replaced in the manifest, and what is found.
  nonisolated struct ManifestFault: CustomTestStringConvertible, Sendable {
    var old: String
    var new: String
    var rule: LintRule
    var line: Int?
    var words: String
    var testDescription: String { "\(rule.rawValue): \(new)" }

    static let all: [ManifestFault] = [
      .init(
        old: "<key>CFBundleDisplayName</key>",
        new: "<key>Display</key>",
        rule: .missingName,
        line: nil,
        words: "heading"
      ),
      .init(
        old: "TodayDescription",
        new: "TodayDescripion",
        rule: .unknownKey,
        line: 18,
        words: "TodayDescripion"
      ),
      .init(
        old: "org.test",
        new: "com.example",
        rule: .exampleIdentifier,
        line: 4,
        words: "com.example.Cups"
      ),
      .init(
        old: "<string>Unit</string>",
        new: "<string>unit</string>",
        rule: .settingTitle,
        line: 22,
        words: "no title"
      ),
      .init(
        old: "<key>title</key>",
        new: "<key>tilte</key>",
        rule: .unknownKey,
        line: 25,
        words: "tilte"
      ),
      .init(
        old: "<string>string</string>",
        new: "<string>strin</string>",
        rule: .settings,
        line: 27,
        words: "strin"
      ),
      .init(
        old: "<string>cups.py</string>",
        new: "<true/>",
        rule: .manifest,
        line: 8,
        words: "true or false"
      ),
      .init(
        old: "</array>",
        new: "</arry>",
        rule: .manifest,
        line: 32,
        words: "this is </arry>"
      ),
      .init(
        old: "<key>TodaySettings</key>",
        new:
          "<key>NSExtensionActivationRule</key><string>TRUEPREDICATE</string>\n<key>TodaySettings</key>",
        rule: .acceptAll,
        line: 20,
        words: "activation rule"
      ),
    ]
  }

  @Test(arguments: ManifestFault.all)
  func `a fault in the manifest has its line`(_ fault: ManifestFault) async throws {
    let authored = try sound()
    #expect(manifest.contains(fault.old))
    try authored.world.write(
      manifest.replacing(fault.old, with: fault.new, maxReplacements: 1),
      to: "\(authored.path)/Info.plist"
    )
    let all = try await lint(authored)
    let finding = try #require(all.first { $0.rule == fault.rule }, "\(all)")
    #expect(finding.file.hasSuffix("/Cups.widget/Info.plist"))
    #expect(finding.place?.line == fault.line)
    #expect(finding.message.contains(fault.words), "\(finding.message)")
    #expect(!finding.advice.isEmpty)
    authored.remove()
  }

  /// A share extension with an activation rule.
  private func extensionBundle(
    _ name: String,
    rule: String,
    below folder: String? = nil,
    in world: TestWorld
  ) throws {
    let path = "\(folder ?? world.widgets)/\(name).appex"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try world.write(
      """
      { CFBundleIdentifier = "org.test.\(name)"; CFBundleDisplayName = "Shelf"; CFBundleExecutable = "run.sh";
        NSExtension = { NSExtensionPointIdentifier = "com.apple.share-services"; NSExtensionPrincipalClass = Shelf;
          NSExtensionAttributes = {
            NSExtensionActivationRule = \(rule); }; }; }
      """,
      to: "\(path)/Info.plist"
    )
    try world.write("#!/bin/sh\n", to: "\(path)/run.sh")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755],
      ofItemAtPath: "\(path)/run.sh"
    )
  }

  @Test(
    arguments: [
      ("TRUEPREDICATE", LintRule.acceptAll, "TRUEPREDICATE accepts every content"),
      (
        "{ NSExtensionActivationSupportsText = 1; }", .ruleVersion,
        "NSExtensionActivationDictionaryVersion"
      ),
      (
        "\"extensionItems.@count == 1 OR extensionItems.@count == 2 AND NOT extensionItems.@count == 3\"",
        .rulePrecedence, "AND binds stronger than OR"
      ),
    ] as [(String, LintRule, String)]
  )
  func `a rule that its author did not mean is named with its line`(
    rule: String,
    expected: LintRule,
    words: String
  ) async throws {
    let world = try TestWorld()
    try extensionBundle("Shelf", rule: rule, in: world)
    let all = await BundleLint("\(world.widgets)/Shelf.appex", try options(world, runs: false))
      .run()
    let finding = try #require(all.first { $0.rule == expected }, "\(all)")
    #expect(finding.place?.line == 4 && finding.message.contains(words), "\(finding)")
    #expect(expected.severity == .warning)
  }

  @Test func `a sound rule has no remark`() async throws {
    let world = try TestWorld()
    let rule =
      "{ NSExtensionActivationDictionaryVersion = 2; NSExtensionActivationSupportsText = 1; }"
    try extensionBundle("Shelf", rule: rule, in: world)
    let all = await BundleLint("\(world.widgets)/Shelf.appex", try options(world, runs: false))
      .run()
    #expect(all.allSatisfy { $0.rule.severity == .note }, "\(all)")
  }

  @Test func `two share extensions of an app with one name are noted`() async throws {
    let world = try TestWorld()
    let app = "\(world.widgets)/Shelf.app"
    let rule =
      "{ NSExtensionActivationDictionaryVersion = 2; NSExtensionActivationSupportsText = 1; }"
    for name in ["One", "Two"] {
      try extensionBundle(name, rule: rule, below: "\(app)/PlugIns", in: world)
    }
    try world.write(
      "{ CFBundleIdentifier = \"org.test\"; CFBundleExecutable = run; }",
      to: "\(app)/Info.plist"
    )
    try world.write("#!/bin/sh\n", to: "\(app)/run")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(app)/run")
    let all = await BundleLint(app, try options(world, runs: false)).run()
    let finding = try #require(all.first { $0.rule == .sameName }, "\(all)")
    #expect(finding.message.contains("“Shelf”, too") && finding.rule.severity == .note)
  }

  @Test func `a type that is misspelt in a script is named`() async throws {
    let world = try TestWorld()
    try world.script("shelf.sh", "# today: share accepts=\"public.plain-texd\"\ncat")
    let path = "\(world.path)/config/today/scripts/shelf.sh"
    let all = await BundleLint(path, try options(world, runs: false)).run()
    let finding = try #require(all.first { $0.rule == .unknownType }, "\(all)")
    #expect(finding.advice == "did you mean public.plain-text?" && finding.place?.line == 2)
  }

  @Test func `a key in the wrong dictionary is told where it belongs`() async throws {
    let authored = try sound()
    try authored.world.write(
      manifest.replacing(
        "<key>NSExtension</key>",
        with: "<key>TodaySpan</key><integer>2</integer>\n  <key>NSExtension</key>"
      ),
      to: "\(authored.path)/Info.plist"
    )
    let finding = try #require(try await lint(authored).first { $0.rule == .unknownKey })
    #expect(finding.advice == "move it to NSExtension.NSExtensionAttributes")
    authored.remove()
  }

  @Test(
    arguments: [
      ("com.apple.security.network.clinet", "<true/>", LintRule.entitlements, "did you mean"),
      ("com.apple.security.network.client", "<string>a</string>", .entitlements, "true or false"),
      ("com.apple.security.app-sandbox", "<false/>", .declinesSandbox, "outside of the sandbox"),
      (
        "com.apple.security.files.home-relative-path.read-only",
        "<array><string>.ssh</string></array>", .acceptAll, ".ssh"
      ),
      (
        "org.today.dbus", "<array><string>org.freedesktop.*</string></array>", .acceptAll,
        "org.freedesktop.*"
      ),
    ] as [(String, String, LintRule, String)]
  )
  func `entitlements are known, well formed and narrow`(
    name: String,
    value: String,
    rule: LintRule,
    words: String
  ) async throws {
    let authored = try sound()
    try authored.world.write(
      "<plist version=\"1.0\">\n<dict>\n<key>\(name)</key>\n\(value)\n</dict>\n</plist>",
      to: "\(authored.path)/Entitlements.plist"
    )
    let finding = try #require(try await lint(authored).first)
    #expect(finding.rule == rule)
    #expect(finding.place?.line == 3)
    #expect("\(finding.message) \(finding.advice)".contains(words))
    authored.remove()
  }

  // MARK: - The program

  @Test(
    arguments: [
      ("#!/usr/bin/env python3 -u", LintRule.shebang, "as one argument", true),
      ("#!/usr/bin/env no-such-program", .shebang, "no-such-program is not in", false),
      ("#!/opt/nowhere/python3", .shebang, "/opt/nowhere/python3 is not there", false),
      ("#!", .shebang, "names no program", false),
      ("#!/usr/bin/python3\r", .lineEndings, "CR LF", true),
      ("#!/usr/bin/python3\nfrom todaykit import Widget", .kit, "not in the bundle", true),
      ("#!/usr/bin/python3\nprint('\\033[31mred')", .rawEscape, "escape sequence", false),
      ("#!/usr/bin/python3\nopen('/dev/tty')", .terminal, "no terminal", false),
    ] as [(String, LintRule, String, Bool)]
  )
  func `the program is checked, and what needs no decision is mended`(
    text: String,
    rule: LintRule,
    words: String,
    isMendable: Bool
  ) async throws {
    let authored = try sound()
    let program = "\(authored.path)/cups.py"
    try authored.world.write("\(text)\nx = 1\n", to: program)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    let finding = try #require(try await lint(authored).first)
    #expect(finding.rule == rule)
    #expect(finding.message.contains(words), "\(finding.message)")
    #expect(finding.place != nil)
    let check: () async -> [LintFinding] = { (try? await lint(authored)) ?? [] }
    var mending = BundleMending(check)
    let left = try await mending.run()
    #expect(left.isEmpty == isMendable, "\(left)")
    #expect(mending.changes.isEmpty != isMendable)
    // A file that is rewritten can still be run.
    #expect(FileManager.default.isExecutableFile(atPath: program))
    authored.remove()
  }

  @Test func `modes of files are mended, one after the other`() async throws {
    let authored = try sound()
    let program = "\(authored.path)/cups.py"
    try FileManager.default.setAttributes([.posixPermissions: 0o646], ofItemAtPath: program)
    let check: () async -> [LintFinding] = { (try? await lint(authored)) ?? [] }
    #expect(await check().map(\.rule) == [.permissions])
    var mending = BundleMending(check)
    #expect(try await mending.run() == [])
    #expect(mending.changes.count == 2)
    #expect(FileManager.default.isExecutableFile(atPath: program))
    authored.remove()
  }

  @Test func `an old file of functions is a note, and is replaced`() async throws {
    let authored = try sound()
    try authored.world.write("# older\n", to: "\(authored.path)/todaykit.py")
    let program = "\(authored.path)/cups.py"
    try authored.world.write("#!/usr/bin/python3\nimport todaykit\n", to: program)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    let findings = try await lint(authored)
    #expect(findings.map(\.rule) == [.kitVersion])
    #expect(!LintReport(findings, folder: "/", version: "1").hasFailed)
    let check: () async -> [LintFinding] = { (try? await lint(authored)) ?? [] }
    var mending = BundleMending(check)
    #expect(try await mending.run() == [])
    authored.remove()
  }

  // MARK: - Scenarios and views

  @Test func `scenarios are read, and goldens are there and used`() async throws {
    let authored = try sound()
    try authored.scenario("{\n  \"name\": \"n\",\n  \"stpes\": []\n}", "wrong")
    try authored.scenario(
      "{ \"name\": \"n\", \"steps\": [\n{ \"expect\": { \"golden\": \"gone\" } }] }",
      "golden"
    )
    try FileManager.default.createDirectory(
      atPath: "\(authored.path)/Tests/Goldens",
      withIntermediateDirectories: true
    )
    try authored.world.write("", to: "\(authored.path)/Tests/Goldens/old.txt")
    let findings = try await lint(authored)
    #expect(findings.map(\.rule) == [.golden, .scenario, .golden])
    #expect(findings.map { $0.place?.line } == [2, 3, nil])
    #expect(findings[1].message.contains("unknown member"))
    #expect(findings[2].file.hasSuffix("Goldens/old.txt"))
    authored.remove()
  }

  @Test func `a widget without a scenario is a note`() async throws {
    let authored = try sound()
    try FileManager.default.removeItem(atPath: "\(authored.path)/Tests/counts.json")
    #expect(try await lint(authored).map(\.rule) == [.noScenario])
    authored.remove()
  }

  @Test(
    arguments: [
      (#"{"type":"image","path":"a.png"}"#, [LintRule.missingAlt], "view.children[1]"),
      (#"{"type":"gauge","value":1}"#, [.missingLabel], "view.children[1]"),
      (#"{"type":"sparkline","values":[1],"accessibilityLabel":"Load"}"#, [], ""),
      (#"{"type":"hstack","children":["CPU",{"type":"gauge","value":1}]}"#, [], ""),
      (#"{"type":"text","text":"\u001b[31mred"}"#, [.rawEscape], "view.children[1].text"),
      (#"{"type":"ansi","text":"\u001b[31mred"}"#, [], ""),
      (#"{"type":"text","text":"a","lineLimt":1}"#, [.unknownMember], "view.children[1].lineLimt"),
      (
        #"{"type":"text","text":[{"text":"a","style":{"colour":"red"}}]}"#, [.unknownMember],
        "view.children[1].text[0].style.colour"
      ),
      (#"{"type":"text","text":"a","style":{"foreground":"red"},"lineLimit":1}"#, [], ""),
    ] as [(String, [LintRule], String)]
  )
  func `views are checked as they are sent`(
    node: String,
    rules: [LintRule],
    member: String
  ) async throws {
    let authored = try sound()
    let program = "\(authored.path)/cups.py"
    let (old, file) = (
      "return {\"type\": \"vstack\", \"children\": children}",
      "\(authored.path)/node.json"
    )
    try authored.world.write(node, to: file)
    let text = try String(contentsOfFile: program, encoding: .utf8).replacing(
      old,
      with: "return {\"type\": \"vstack\", \"children\": [\"a\", json.load(open(\"\(file)\"))]}"
    )
    try authored.world.write(text, to: program)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    let findings = try await lint(authored, runs: true).filter { $0.rule != .conformance }
    #expect(findings.map(\.rule) == rules, "\(findings)")
    #expect(findings.first?.member ?? "" == member)
    authored.remove()
  }

  @Test func `a broken rule of the protocol is a finding`() async throws {
    let authored = try AuthoredBundle(fault: "press")
    let findings = try await lint(authored, runs: true).filter { $0.rule == .conformance }
    #expect(findings.contains { $0.message.contains("press") }, "\(findings)")
    authored.remove()
  }

  // MARK: - Reports

  @Test func `reports are lines, JSON, SARIF and annotations`() async throws {
    let authored = try sound()
    try authored.world.write(
      manifest.replacing("TodayDescription", with: "TodayDescripion"),
      to: "\(authored.path)/Info.plist"
    )
    let report = LintReport(
      try await lint(authored),
      folder: authored.world.widgets,
      version: "1.2"
    )
    #expect(report.hasFailed)
    #expect(
      report.lines(.text).first
        == "Cups.widget/Info.plist:18:7: warning: TodayDescripion is not a key that is read; "
        + "did you mean TodayDescription? [unknown-key]"
    )
    #expect(report.lines(.text).last == "2 warnings")
    #expect(
      report.lines(.github).first?.hasPrefix(
        "::warning file=Cups.widget/Info.plist,line=18,col=7,title=today lint%3A unknown-key::"
      ) == true
    )
    let json = report.lines(.json).joined()
    let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    let items = try #require(object?["findings"] as? [[String: Any]])
    #expect(items.first?["line"] as? Int == 18)
    #expect(items.first?["rule"] as? String == "unknown-key")
    let sarif = report.lines(.sarif).joined()
    let log = try JSONSerialization.jsonObject(with: Data(sarif.utf8)) as? [String: Any]
    #expect(log?["version"] as? String == "2.1.0")
    let run = try #require((log?["runs"] as? [[String: Any]])?.first)
    let results = try #require(run["results"] as? [[String: Any]])
    let driver = (run["tool"] as? [String: Any])?["driver"] as? [String: Any]
    let rules = (driver?["rules"] as? [[String: Any]])?.compactMap { $0["id"] as? String } ?? []
    #expect(results.allSatisfy { rules.contains($0["ruleId"] as? String ?? "") })
    authored.remove()
  }

  @Test(
    arguments: [
      "", "<", "<plist>", "<dict><key>a", "{", "{ a = ", "{ a = \"", "( {", "}", "<dict></array>",
      "<array><array><dict><key>k</key></dict>", "/* ", "{ a = b; };;", "<!-- <", "<key>k</key>",
    ]
  )
  func `text that is no property list is survived`(text: String) async throws {
    let authored = try sound()
    try authored.world.write(text, to: "\(authored.path)/Info.plist")
    #expect(try await lint(authored).contains { $0.rule == .manifest })
    authored.remove()
  }
}
