import Testing
import WidgetKitCore

@testable import ExtensionContent

/// Activation rules in the form of a dictionary.
@Suite struct ActivationCountsTests {
  private static let prefix = "NSExtensionActivation"

  private func rule(_ values: [String: PropertyValue]) throws -> ActivationRule {
    try ActivationRule(
      .dictionary(Dictionary(uniqueKeysWithValues: values.map { (Self.prefix + $0, $1) }))
    )
  }

  /// An item with an attachment for each group of types.
  private func content(_ attachments: [[String]]) -> [ExtensionItem] {
    let all = attachments.enumerated().map { index, types in
      ItemAttachment(id: "a\(index + 1)", types: types.map { UniformType($0) })
    }
    return [ExtensionItem(attachments: all)]
  }

  private static let image = ["public.png"]
  private static let movie = ["public.mpeg-4"]

  // MARK: - Versions

  /// Offering more kinds shows fewer extensions in version 1, and not fewer in version 2.
  @Test(arguments: [
    // Extension, version, strict; for a picture, a movie, and both.
    ("image", 1, false, [true, false, false]), ("movie", 1, false, [false, true, false]),
    ("both", 1, false, [true, true, true]), ("image", 2, false, [true, false, true]),
    ("movie", 2, false, [false, true, true]), ("both", 2, false, [true, true, true]),
    ("image", 2, true, [true, false, true]), ("movie", 2, true, [false, true, true]),
    ("both", 2, true, [true, true, true]), ("file", 1, false, [false, false, false]),
    ("file", 2, false, [true, true, false]), ("file", 2, true, [false, false, false]),
  ])
  func `version 1 needs every kind to be accepted, version 2 one of them`(
    accepts: String,
    version: Int,
    isStrict: Bool,
    expected: [Bool]
  ) throws {
    var values: [String: PropertyValue] = [
      "DictionaryVersion": .number(Double(version)), "UsesStrictMatching": .boolean(isStrict),
    ]
    if accepts != "movie", accepts != "file" { values["SupportsImageWithMaxCount"] = .number(1) }
    if accepts != "image", accepts != "file" { values["SupportsMovieWithMaxCount"] = .number(1) }
    if accepts == "file" { values["SupportsFileWithMaxCount"] = .number(1) }
    let rule = try rule(values)
    let contents = [[Self.image], [Self.movie], [Self.image, Self.movie]]
    #expect(contents.map { rule.verdict(on: content($0), .standard).isOffered } == expected)
  }

  @Test func `a missing version is version 1, and is remarked on`() throws {
    let old = try rule(["SupportsImageWithMaxCount": .number(1)])
    #expect(!old.verdict(on: content([Self.image, Self.movie]), .standard).isOffered)
    #expect(old.remarks == [.noVersion])
    let new = try rule(["SupportsImageWithMaxCount": .number(1), "DictionaryVersion": .number(1)])
    #expect(new.remarks.isEmpty)
  }

  // MARK: - Counts

  @Test func `one picture is accepted and two are not, with the reason`() throws {
    let rule = try rule(["SupportsImageWithMaxCount": .number(1)])
    #expect(rule.verdict(on: content([Self.image]), .standard) == .offered)
    #expect(
      rule.verdict(on: content([Self.image, ["public.jpeg"]]), .standard)
        == .refused("2 pictures; at most 1 accepted")
    )
    #expect(rule.verdict(on: [], .standard) == .refused("there is no attachment"))
  }

  @Test(arguments: [
    ("SupportsText", ["public.patch-file", "public.plain-text"], true),
    ("SupportsText", ["public.png"], false), ("SupportsWebURLWithMaxCount", ["public.url"], true),
    ("SupportsWebURLWithMaxCount", ["public.file-url"], false),
    ("SupportsFileWithMaxCount", ["public.file-url"], true),
    ("SupportsFileWithMaxCount", ["public.url"], false),
    ("SupportsFileWithMaxCount", ["com.adobe.pdf"], true),
    ("SupportsFileWithMaxCount", ["com.example.unknown"], true),
    ("SupportsWebPageWithMaxCount", ["public.html"], false),
    ("SupportsMovieWithMaxCount", ["com.apple.quicktime-movie"], true),
  ])
  func `each key accepts its kind`(key: String, types: [String], expected: Bool) throws {
    let value: PropertyValue = key == "SupportsText" ? .boolean(true) : .number(1)
    #expect(try rule([key: value]).verdict(on: content([types]), .standard).isOffered == expected)
  }

  @Test func `the number of attachments has a least and a most`() throws {
    let rule = try rule([
      "SupportsImageWithMaxCount": .number(9), "SupportsAttachmentsWithMinCount": .number(2),
      "SupportsAttachmentsWithMaxCount": .number(3),
    ])
    let verdicts = (1...4).map { count in
      rule.verdict(on: content(Array(repeating: Self.image, count: count)), .standard)
    }
    #expect(
      verdicts == [
        .refused("1 of at least 2 attachments"), .offered, .offered,
        .refused("4 attachments; at most 3 are accepted"),
      ]
    )
  }

  @Test func `attachments of several items count together`() throws {
    let rule = try rule(["SupportsImageWithMaxCount": .number(1)])
    let items = content([Self.image]) + content([Self.image])
    #expect(!rule.verdict(on: items, .standard).isOffered)
  }

  @Test func `strings of the old form are numbers and truth values`() throws {
    let rule = try rule(["SupportsText": .string("YES"), "SupportsImageWithMaxCount": .string("2")])
    #expect(rule.verdict(on: content([["public.plain-text"], Self.image]), .standard).isOffered)
  }

  // MARK: - Mistakes

  @Test(arguments: [
    (
      "SupportsImageWithMaxCont", PropertyValue.number(1),
      "unknown key; did you mean NSExtensionActivationSupportsImageWithMaxCount?"
    ),
    ("SupportsImageWithMaxCount", .number(-1), "expected a whole number from 0"),
    ("SupportsImageWithMaxCount", .number(.nan), "expected a whole number from 0"),
    ("SupportsImageWithMaxCount", .number(1.5), "expected a whole number from 0"),
    ("SupportsText", .number(2), "expected true or false"),
    ("DictionaryVersion", .number(3), "expected 1 or 2"),
    ("UsesStrictMatching", .array([]), "expected true or false"),
  ])
  func `a wrong value is named with its key`(key: String, value: PropertyValue, words: String) {
    let error = #expect(throws: ActivationRuleError.self) { try rule([key: value]) }
    #expect(error?.description == "\(Self.prefix)\(key): \(words)")
  }

  @Test func `a number beyond all counts is one without limit`() throws {
    let rule = try rule(["SupportsImageWithMaxCount": .number(1e300)])
    #expect(rule.verdict(on: content([Self.image]), .standard).isOffered)
  }
}
