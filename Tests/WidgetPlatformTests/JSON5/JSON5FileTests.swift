import Testing
import WidgetKitCore

@testable import WidgetPlatform

/// Files in JSON5: each text is read once, for its values and for their places.
@Suite nonisolated struct JSON5FileTests {
  private func file(_ text: String) throws -> JSON5File {
    try JSON5File(Array(text.utf8), path: "a.json5")
  }

  @Test(arguments: [
    ("'it\\'s'", "it's"), (#""\b\f\n\r\t\v\/\a""#, "\u{8}\u{C}\n\r\t\u{B}/a"),
    (#"'\x41\u00e9\ud83d\ude00'"#, "Aé😀"), ("'a\\\nb\\\r\nc'", "abc"), ("'a\tb'", "a\tb"),
    // What no text has.
    (#"'\0\x00\u0000'"#, "\u{FFFD}\u{FFFD}\u{FFFD}"), (#"'\ud83d\ude'"#, nil),
    (#"'\ud83dx\ude00'"#, "\u{FFFD}x\u{FFFD}"), (#"'\1'"#, nil), ("'a\nb'", nil), ("'\\", nil),
  ])
  func `texts are read with all escapes of JSON5`(text: String, value: String?) throws {
    #expect((try? file(text))?.value == value.map(JSONTree.string))
  }

  @Test(
    arguments: [
      ("5.", 5), (".5", 0.5), ("+.5e1", 5), ("-0x10", -16), ("1e-999", 0),
      ("12345678901234567890", 1.2345678901234567e19), ("NaN", nil), ("-Infinity", nil),
      ("1e999", nil),
    ] as [(String, Double?)]
  )
  func `numbers are read in all forms, and those that are none are null`(
    text: String,
    value: Double?
  ) throws {
    #expect(try file(text).value == value.map(JSONTree.number) ?? .null)
  }

  @Test func `values have their places, and the first of two members counts`() throws {
    let file = try file("{ b: [true, null],\n 'a\\x62': 'x', b: {} } // end")
    let members = [
      JSONTree.Member(name: "b", value: .array([.boolean(true), .null])),
      JSONTree.Member(name: "ab", value: .string("x")),
    ]
    #expect(file.value == .object(members))
    #expect(file.value[MemberPath.top.member("b").element(0)] == .boolean(true))
    #expect(file.outline[MemberPath("ab")]?.value.description == "2:11")
    #expect(file.outline.repeated == [MemberPath("b")])
  }
}
