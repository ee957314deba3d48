import FoundationEssentials
import Testing
import WidgetKitCore

@testable import ExtensionContent

/// The types of content, by its name and its first bytes.
@Suite struct ContentSampleTests {
  private func types(
    _ bytes: some Sequence<UInt8>,
    name: String? = nil,
    isWhole: Bool = true,
    declared: String? = nil,
    charset: String? = nil
  ) throws -> [String] {
    let sample = ContentSample(
      name: name,
      bytes: Array(bytes),
      isWhole: isWhole,
      charset: try charset.map { try #require(TextCharset($0)) }
    )
    return sample.types(declared: declared.map { UniformType($0) }, .standard, ContentSniffer())
      .map(\.identifier)
  }

  private static let png: [UInt8] = [
    0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0x0D, 0x49, 0x48, 0x44, 0x52, 0, 0, 0,
    1, 0, 0, 0, 1, 8, 6, 0, 0, 0,
  ]

  @Test(arguments: [
    ("fix.diff", "any text", ["public.patch-file", "public.plain-text"]),
    ("a.json", "{", ["public.json", "public.plain-text"]),
    ("README", "Read me.\n", ["public.plain-text"]),
    ("empty.png", "", ["public.png", "public.plain-text"]),
  ])
  func `a name decides if the content does not contradict it`(
    name: String,
    text: String,
    expected: [String]
  ) throws {
    #expect(try types(text.utf8, name: name) == expected)
  }

  @Test func `a name of text does not make text of other bytes`() throws {
    #expect(try types([0, 1, 2, 0xFF], name: "a.txt") == ["public.data"])
  }

  @Test(
    .enabled(if: ContentSniffer().isAvailable, "libmagic and its database"),
    arguments: [
      ("{\"a\": [1, 2]}\n", "public.json"), ("#!/bin/sh\necho\n", "public.shell-script"),
      ("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n", "public.patch-file"),
      ("<!DOCTYPE html><html></html>\n", "public.html"),
    ]
  )
  func `content without a name is recognized`(text: String, expected: String) throws {
    #expect(try types(text.utf8) == [expected, "public.plain-text"])
  }

  @Test(.enabled(if: ContentSniffer().isAvailable, "libmagic and its database"))
  func `a picture is one, also with the name of a text`() throws {
    #expect(try types(Self.png) == ["public.png"])
    #expect(try types(Self.png, name: "a.txt") == ["public.png"])
  }

  @Test func `what is not known is text or data`() throws {
    #expect(try types("just words".utf8) == ["public.plain-text"])
    #expect(try types([UInt8]("a\0b".utf8)).last == "public.data")
    #expect(try types([]) == ["public.plain-text"])
  }

  // MARK: - Addresses

  @Test(arguments: [
    ("https://example.com/a?b=c#d\n", true), ("  http://example.com  ", true),
    ("HTTPS://EXAMPLE.COM", true),
    ("see https://example.com", false), ("https://example.com and more", false),
    ("ftp://example.com", false),
    ("https://", false), ("https:///x", false), ("https://example.com\nhttps://example.org", false),
  ])
  func `a text that is one web address is offered as that too`(text: String, isAddress: Bool) throws
  {
    #expect(try types(text.utf8) == (isAddress ? ["public.url"] : []) + ["public.plain-text"])
  }

  @Test func `the beginning of a longer text is no address`() throws {
    #expect(try types("https://example.com".utf8, isWhole: false) == ["public.plain-text"])
  }

  // MARK: - Text

  @Test func `a character that the looked at bytes end within is no fault`() throws {
    for character in ["é", "€", "😀"] {
      let bytes = Array("a\(character)".utf8)
      for count in 2..<bytes.count {
        #expect(try types(bytes.prefix(count), isWhole: false) == ["public.plain-text"])
        #expect(try types(bytes.prefix(count)) == ["public.data"], "\(character) \(count)")
      }
    }
  }

  @Test func `a charset that the user names makes text of its bytes`() throws {
    let bytes: [UInt8] = [0x4D, 0xFC, 0x6C, 0x6C]
    #expect(try types(bytes).last == "public.data")
    #expect(try types(bytes, charset: "ISO-8859-1") == ["public.plain-text"])
    #expect(
      TextCharset.text(bytes[...], isWhole: true, charset: TextCharset("ISO-8859-1")) == "Müll"
    )
    // A byte that ends within a character of two.
    #expect(
      TextCharset.text([0x82, 0xA0, 0x82], isWhole: false, charset: TextCharset("SHIFT_JIS")) == "あ"
    )
    #expect(
      TextCharset.text([0x82, 0xA0, 0x82], isWhole: true, charset: TextCharset("SHIFT_JIS")) == nil
    )
  }

  @Test(arguments: [
    "", "nothing", "UTF-8//TRANSLIT", "a b", "\u{1B}", String(repeating: "x", count: 70),
  ])
  func `an unknown charset is none`(name: String) {
    #expect(TextCharset(name) == nil)
  }

  @Test func `a type that the user names is the type`() throws {
    #expect(
      try types("{}".utf8, name: "a.png", declared: "com.example.x") == [
        "com.example.x", "public.plain-text",
      ]
    )
    #expect(try types(Self.png, declared: "com.example.x") == ["com.example.x"])
  }
}
