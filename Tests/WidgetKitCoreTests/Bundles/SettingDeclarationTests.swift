import Testing

@testable import WidgetKitCore

/// The settings that a manifest declares.
struct `Declarations of settings` {
  private func read(_ settings: String) throws -> [SettingDeclaration] {
    let disk = try BundleOnDisk()
    try disk.widget(changes: [
      "NSExtension":
        "{ NSExtensionPointIdentifier = \"com.apple.widget-extension\"; "
        + "NSExtensionPrincipalClass = Clock; "
        + "NSExtensionAttributes = { TodaySettings = \(settings); }; }"
    ])
    return try WidgetBundle(path: "\(disk.root)/Clock.widget").settings
  }

  @Test func `all types are read, with defaults of the same type`() throws {
    let settings = try read(
      """
      ({ name = city; type = string; default = Rome; title = "The city"; example = Oslo;
         required = YES; },
       { name = rows; type = number; default = 5; minimum = 1; maximum = "9.5"; unit = "%"; },
       { name = seconds; type = boolean; default = NO; },
       { name = style; type = choice; choices = (long, short); default = short; },
       { name = zones; type = list; default = ("Asia/Tokyo"); },
       { name = file; type = file; default = "~/todo.txt"; },
       { name = token; type = secret; })
      """
    )
    #expect(settings.map(\.kind) == [.string, .number, .boolean, .choice, .list, .file, .secret])
    #expect(
      settings.map(\.defaultValue) == [
        .string("Rome"), .number(5), .boolean(false), .string("short"), .list(["Asia/Tokyo"]),
        .string("~/todo.txt"), nil,
      ]
    )
    #expect(settings[0].title == "The city" && settings[0].isRequired)
    #expect(settings[1].title == "rows" && settings[1].range == 1...9.5)
    #expect(settings[0].example == "Oslo" && settings[1].unit == "%")
    #expect(settings[0].shownExample == "Oslo" && settings[2].shownExample == nil)
    #expect(settings[3].choices == ["long", "short"])
  }

  @Test(arguments: [
    ("7", "is 7; expected an array of at most 64"),
    ("(a)", "[0] is a; expected a dictionary with name and type"),
    ("({ type = string; })", "[0].name is missing; expected a letter"),
    ("({ name = \"a b\"; type = string; })", "[0].name is \"a b\"; expected a letter"),
    ("({ name = span; type = number; })", "[0].name is \"span\"; expected another name"),
    ("({ name = a; })", "[0].type is missing; expected one of string, number"),
    ("({ name = a; type = date; })", "[0].type is \"date\"; expected one of string, number"),
    (
      "({ name = a; type = string; }, { name = a; type = list; })",
      "[1].name is \"a\"; expected a name that no other setting has"
    ),
    ("({ name = a; type = choice; })", "[0].choices is missing; expected an array of 1 to 100"),
    (
      "({ name = a; type = choice; choices = (b, b); })",
      "[0].choices is an array of 2; expected an array of 1 to 100 different texts"
    ),
    (
      "({ name = a; type = string; choices = (b); })", "[0].choices is \"string\"; expected missing"
    ),
    (
      "({ name = a; type = number; format = timeZone; })",
      "[0].format is \"number\"; expected missing, as the type is neither string, list nor file"
    ),
    (
      "({ name = a; type = list; format = zone; })",
      "[0].format is \"zone\"; expected one of timeZone, coordinates"
    ),
    (
      "({ name = a; type = string; format = folder; })",
      "[0].format is \"folder\"; expected one of timeZone, coordinates"
    ),
    (
      "({ name = a; type = file; format = timeZone; })",
      "[0].format is \"timeZone\"; expected one of folder"
    ),
    ("({ name = a; type = string; minimum = 1; })", "[0].minimum is \"1\"; expected missing"),
    ("({ name = a; type = number; minimum = nan; })", "[0].minimum is nan; expected a number"),
    (
      "({ name = a; type = number; minimum = 2; maximum = 1; })",
      "[0].minimum is \"2\"; expected at most the maximum, 1"
    ),
    (
      "({ name = a; type = number; default = 3; maximum = 1; })",
      "[0].default is 3; expected a number of at most 1"
    ),
    ("({ name = a; type = list; default = b; })", "[0].default is b; expected a list of at most"),
    ("({ name = a; type = file; default = b; })", "[0].default is b; expected the path of a file"),
    (
      "({ name = a; type = secret; default = b; })", "[0].default is \"a secret\"; expected missing"
    ),
    (
      "({ name = a; type = number; example = 5; })",
      "[0].example is \"number\"; expected missing, as the type is neither string, list nor file"
    ),
    (
      "({ name = a; type = string; unit = s; })",
      "[0].unit is \"string\"; expected missing, as the type is not number"
    ),
    (
      "({ name = a; type = number; unit = \"thirteen cols\"; })",
      "[0].unit is thirteen cols; expected a text of at most 12 columns"
    ),
    ("({ name = a; type = list; example = (a); })", "[0].example is an array"),
    ("({ name = a; type = string; required = maybe; })", "[0].required is maybe; expected true"),
  ])
  func `a bad declaration is named with its place`(settings: String, words: String) throws {
    let error = #expect(throws: BundleError.self) { try read(settings) }
    let key = "Clock.widget/Info.plist: NSExtension.NSExtensionAttributes.TodaySettings"
    #expect(
      error.map { "\($0)".hasPrefix(key + words) || "\($0)".hasPrefix("\(key) \(words)") } == true,
      "\(error.map { "\($0)" } ?? "")"
    )
  }

  @Test(arguments: [
    ("55.68, 12.57", true), ("-90 180", true), ("55.68 N 12.57 E", true), ("+5540+01235", true),
    ("", true), (" ", true), ("95, 12", false), ("12, 181", false), ("12", false),
    ("nan, 0", false), ("1e400, 0", false), ("here", false), ("1, 2, 3", false),
  ])
  func `coordinates are a place on the earth, or nothing`(text: String, isAllowed: Bool) throws {
    let settings = try read("({ name = place; type = string; format = coordinates; })")
    #expect(settings[0].allows(.string(text)) == isAllowed)
  }

  @Test func `the path of a folder is called one`() throws {
    let settings = try read(
      "({ name = a; type = file; format = folder; }, { name = b; type = file; })"
    )
    #expect(settings[0].expectation == "the path of a folder, which begins with / or ~/")
    #expect(settings[1].expectation == "the path of a file, which begins with / or ~/")
    #expect(settings[0].allows(.string("~/nothing")) && !settings[0].allows(.string("nothing")))
  }

  @Test func `time zones are those that the system knows, but for the defaults`() throws {
    let settings = try read(
      """
      ({ name = zones; type = list; format = timeZone; default = ("Mars/Base"); },
       { name = zone; type = string; format = timeZone; })
      """
    )
    #expect(settings.map(\.format) == [.timeZone, .timeZone])
    #expect(settings[0].defaultValue == .list(["Mars/Base"]))
    #expect(settings[0].allows(.list([])) && settings[0].allows(.list(["UTC", "Asia/Tokyo"])))
    #expect(!settings[0].allows(.list(["UTC", "Asia/Tokio"])))
    #expect(settings[0].unknownName(in: .list(["UTC", "Asia/Tokio", "x"])) == "Asia/Tokio")
    #expect(settings[1].allows(.string("Europe/Copenhagen")))
    for name in ["", "europe/copenhagen ", "../etc/passwd", "/etc/localtime", "Europe", "a\0b"] {
      #expect(!settings[1].allows(.string(name)), "\(name)")
    }
    #expect(!settings[1].allows(.list(["UTC"])) && settings[1].unknownName(in: .number(1)) == nil)
    #expect(settings[1].expectation == "the name of a time zone, such as Europe/Copenhagen")
  }

  @Test func `every name of the host is refused`() {
    for name in SettingDeclaration.reservedNames {
      #expect(throws: BundleError.self) { try read("({ name = \(name); type = string; })") }
    }
  }

  @Test(arguments: [1e300, -1, .nan, .infinity])
  func `a number outside the range is not allowed`(number: Double) {
    let setting = SettingDeclaration(name: "a", kind: .number, range: 0...10)
    #expect(!setting.allows(.number(number)))
    #expect(setting.allows(.number(10)))
  }

  @Test func `values are on the wire as they are`() throws {
    let configuration = WidgetConfiguration([
      "a": .list(["x"]), "b": .boolean(true), "c": .number(2), "d": .string("y"),
    ])
    let line = OutgoingLine.notification(
      ConfigurationDidChangeNotification(configuration: configuration)
    )
    let text = String(decoding: line, as: UTF8.self)
    for part in [#""a":["x"]"#, #""b":true"#, #""c":2"#, #""d":"y""#] {
      #expect(text.contains(part), "\(text)")
    }
    let read = try IncomingLine(line.dropLast()).decode(ConfigurationDidChangeNotification.self)
    #expect(read.configuration == configuration)
    #expect(read.configuration.number("a") == nil && read.configuration.list("a") == ["x"])
    #expect(read.configuration.flag("b") == true && read.configuration.number("c") == 2)
    #expect(read.configuration.string("d") == "y" && read.configuration.string("e") == nil)
  }
}
