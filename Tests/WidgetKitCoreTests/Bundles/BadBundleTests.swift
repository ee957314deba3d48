import Testing
import WidgetKitCore

/// Each kind of bad bundle, with the exact error.
struct `Bad bundles` {
  struct Case: Sendable, CustomTestStringConvertible {
    var changes: [String: String]
    var line: String
    var testDescription: String { line }

    init(_ changes: [String: String], _ line: String) {
      self.changes = changes
      self.line = line
    }
  }

  static let identifierForm =
    "expected letters, digits, - and . in reverse-DNS order, like com.example.Clock"
  static let point = "NSExtensionPointIdentifier = \"com.apple.widget-extension\";"
  static let long = "com." + String(repeating: "x", count: 252)

  static let infoPlists: [Case] = [
    Case(
      ["CFBundleExecutable": ""],
      "CFBundleExecutable is missing; expected the name of a file in the bundle"
    ),
    Case(
      ["CFBundleExecutable": "\"../../bin/sh\""],
      "CFBundleExecutable is \"../../bin/sh\"; expected the name of a file in the bundle"
    ),
    Case(
      ["CFBundleExecutable": "\"..\""],
      "CFBundleExecutable is \"..\"; expected the name of a file in the bundle"
    ),
    Case(
      ["CFBundleExecutable": "\"\""],
      "CFBundleExecutable is \"\"; expected the name of a file in the bundle"
    ),
    Case(
      ["CFBundleExecutable": "(a, b)"],
      "CFBundleExecutable is an array; expected a string"
    ),
    Case(["CFBundleIdentifier": ""], "CFBundleIdentifier is missing; \(identifierForm)"),
    Case(
      ["CFBundleIdentifier": "Clock"],
      "CFBundleIdentifier is \"Clock\"; \(identifierForm)"
    ),
    Case(
      ["CFBundleIdentifier": "\"com..Clock\""],
      "CFBundleIdentifier is \"com..Clock\"; \(identifierForm)"
    ),
    Case(
      ["CFBundleIdentifier": "\"com/example.Clock\""],
      "CFBundleIdentifier is \"com/example.Clock\"; \(identifierForm)"
    ),
    Case(
      ["CFBundleIdentifier": "\"group.com.example\""],
      "CFBundleIdentifier is \"group.com.example\"; "
        + "expected another prefix than group, which only groups of apps have"
    ),
    Case(
      ["CFBundleIdentifier": "\"\(long)\""],
      "CFBundleIdentifier is \"\(long.prefix(79))…\"; expected at most 255 characters"
    ),
    Case(
      ["CFBundleDisplayName": "{ a = b; }"],
      "CFBundleDisplayName is a dictionary; expected a string"
    ),
    Case(
      ["NSExtension": ""],
      "NSExtension is missing; expected a dictionary with NSExtensionPointIdentifier"
    ),
    Case(["NSExtension": "Clock"], "NSExtension is a string; expected a dictionary"),
    Case(
      ["NSExtension": "{ NSExtensionPrincipalClass = Clock; }"],
      "NSExtension.NSExtensionPointIdentifier is missing; expected com.apple.widget-extension, "
        + "com.apple.share-services, com.apple.ui-services, com.apple.services"
    ),
    Case(
      ["NSExtension": "{ NSExtensionPointIdentifier = \"com.apple.share-services\"; }"],
      "NSExtension.NSExtensionPointIdentifier is \"com.apple.share-services\"; "
        + "expected com.apple.widget-extension"
    ),
    Case(
      ["NSExtension": "{ \(point) }"],
      "NSExtension.NSExtensionPrincipalClass or NSExtensionMainStoryboard is missing; "
        + "expected one of the two"
    ),
    Case(
      [
        "NSExtension":
          "{ \(point) NSExtensionPrincipalClass = A; NSExtensionMainStoryboard = B; }"
      ],
      "NSExtension.NSExtensionPrincipalClass or NSExtensionMainStoryboard is ambiguous: both are present; "
        + "expected one of the two"
    ),
    Case(
      ["NSExtension": "{ \(point) NSExtensionPrincipalClass = A; NSExtensionAttributes = B; }"],
      "NSExtension.NSExtensionAttributes is a string; expected a dictionary"
    ),
    Case(
      [
        "NSExtension": "{ \(point) NSExtensionPrincipalClass = A; "
          + "NSExtensionAttributes = { TodayRefreshInterval = 0; }; }"
      ],
      "NSExtension.NSExtensionAttributes.TodayRefreshInterval is \"0\"; "
        + "expected seconds, from 1 to 31536000"
    ),
    Case(
      ["CFBundleURLTypes": "clown"],
      "CFBundleURLTypes is a string; expected an array of dictionaries"
    ),
    Case(
      ["CFBundleURLTypes": "(clown)"],
      "CFBundleURLTypes[0] is something else; expected an array of dictionaries"
    ),
    Case(
      ["CFBundleURLTypes": "({ CFBundleURLSchemes = (\"clown town\"); })"],
      "CFBundleURLTypes[0].CFBundleURLSchemes is \"clown town\"; "
        + "expected a letter, then letters, digits, +, - and ., at most 64 (RFC 3986)"
    ),
    Case(
      ["LSBackgroundOnly": "maybe"],
      "LSBackgroundOnly is a string; expected true or false"
    ),
  ]

  @Test(arguments: infoPlists)
  func `are reported with the key, what was found and what was expected`(_ bad: Case) throws {
    let disk = try BundleOnDisk()
    try disk.widget(changes: bad.changes)
    #expect(message(of: disk) == "Clock.widget/Info.plist: \(bad.line)")
  }

  static let texts: [(String, String)] = [
    (
      "\u{1}\u{2}{",
      "is not a property list: line 1 has no end: } is missing; expected one in XML, binary or { key = value; } form"
    ),
    (
      "<?xml version=\"1.0\"?>\n<plist>\n<dict><key>a</key>",
      """
      is not a property list: line 3 has no end: </dict> is missing; expected one in XML, binary or { key = value; } \
      form
      """
    ),
    (
      "{ a = b;\n  c = d }",
      "is not a property list: line 2 has no ; before }; expected one in XML, binary or { key = value; } form"
    ),
    (
      "{ a b;\n}",
      "is not a property list: line 1 has no = before b; expected one in XML, binary or { key = value; } form"
    ),
    (
      "{ a = ( b c ); }",
      "is not a property list: line 1 has no , before c; expected one in XML, binary or { key = value; } form"
    ),
    ("( a, b )", "is an array; expected a dictionary"),
    ("<plist version=\"1.0\"><integer>3</integer></plist>", "is a number; expected a dictionary"),
    (
      "<plist><dict><key>a</key>" + String(repeating: "<array>", count: 4_000),
      "is too complex; expected at most 200 arrays and dictionaries"
    ),
    (String(repeating: " ", count: 70_000), "is 70000 bytes long; expected at most 65536"),
  ]

  @Test(arguments: texts)
  func `that are not a property list are reported`(text: String, problem: String) throws {
    let disk = try BundleOnDisk()
    try disk.widget()
    try disk.write(text, to: "Clock.widget/Info.plist")
    #expect(message(of: disk) == "Clock.widget/Info.plist \(problem)")
  }

  @Test
  func `without an Info plist are reported`() throws {
    let disk = try BundleOnDisk()
    try disk.write("#!/bin/sh\n", to: "Clock.widget/clock", mode: 0o755)
    #expect(
      message(of: disk) == "Clock.widget/Info.plist is missing; expected a property list"
    )
    try disk.write(BundleOnDisk.infoPlist(), to: "elsewhere")
    try disk.link("Clock.widget/Info.plist", to: "../elsewhere")
    #expect(
      message(of: disk) == "Clock.widget/Info.plist is a symbolic link; expected a property list"
    )
  }

  @Test
  func `that are not a folder are reported`() throws {
    let disk = try BundleOnDisk()
    let expected = "expected a folder whose name ends in .widget or .appex"
    #expect(message(of: disk) == "Clock.widget is missing; \(expected)")
    try disk.link("Clock.widget", to: "Clock.widget")
    #expect(
      message(of: disk) == "Clock.widget is a broken symbolic link; \(expected)"
    )
    try disk.write("", to: "Other.widget")
    #expect(message(of: disk, "Other.widget") == "Other.widget is a file; \(expected)")
    #expect(message(of: disk, "Clock") == "Clock is called \"Clock\"; \(expected)")
  }

  static let executables: [(bytes: [UInt8], mode: Int, problem: String)] = [
    (
      Array("#!/bin/sh".utf8), 0o644,
      "is not executable; expected an executable file (chmod +x)"
    ),
    (Array("echo hello".utf8), 0o755, form),
    ([], 0o755, form),
    (elf(machine: 8), 0o755, form),
    (Array(elf(machine: 62).prefix(10)), 0o755, form),
  ]
  #if arch(x86_64)
  static let machine: (UInt8, String) = (62, "x86_64")
  #else
  static let machine: (UInt8, String) = (183, "aarch64")
  #endif
  static let form =
    "is not a program for this machine; "
    + "expected a script that begins with #! or an ELF program for \(machine.1)"

  static func elf(machine: UInt8) -> [UInt8] {
    [0x7F] + Array("ELF".utf8) + [2, 1, 1] + [UInt8](repeating: 0, count: 9) + [3, 0, machine, 0]
  }

  @Test(arguments: executables)
  func `whose executable cannot be run are reported`(
    bytes: [UInt8],
    mode: Int,
    problem: String
  ) throws {
    let disk = try BundleOnDisk()
    try disk.widget()
    try disk.write(bytes, to: "Clock.widget/clock", mode: mode)
    #expect(message(of: disk) == "Clock.widget/clock \(problem)")
  }

  @Test
  func `whose executable is outside the bundle are reported`() throws {
    let disk = try BundleOnDisk()
    try disk.write(BundleOnDisk.infoPlist(), to: "Clock.widget/Info.plist")
    let expected = "expected the executable that CFBundleExecutable names"
    #expect(message(of: disk) == "Clock.widget/clock is missing; \(expected)")
    try disk.link("Clock.widget/clock", to: "/bin/sh")
    #expect(
      message(of: disk)
        == "Clock.widget/clock is a symbolic link to a target outside the bundle; \(expected)"
    )
  }

  @Test
  func `in an app must have the identifier of the app as a prefix`() throws {
    let disk = try BundleOnDisk()
    try disk.widget("Town.app", changes: ["NSExtension": ""])
    try disk.widget(
      "Town.app/PlugIns/Today.widget",
      changes: ["CFBundleIdentifier": "\"com.example.Other\""]
    )
    #expect(
      message(of: disk, "Town.app/PlugIns/Today.widget")
        == "Town.app/PlugIns/Today.widget/Info.plist: CFBundleIdentifier is "
        + "\"com.example.Other\"; expected one that begins with the app's, com.example.Clock."
    )
  }

  @Test
  func `cannot act on the terminal through their names`() throws {
    let disk = try BundleOnDisk()
    try disk.widget("A\u{1B}[2J\nB.widget", changes: ["CFBundleExecutable": ""])
    let line = message(of: disk, "A\u{1B}[2J\nB.widget")
    #expect(line.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F })
  }

  private func message(of disk: BundleOnDisk, _ name: String = "Clock.widget") -> String {
    do {
      return "read: \(try WidgetBundle(path: "\(disk.root)/\(name)").bundleIdentifier)"
    } catch {
      return error.description
    }
  }
}
