import ExtensionContent
import WidgetKitCore

/// Contents with which an extension is tested: of those that are known, the ones that its rule accepts.
struct SampleContents {
  /// A content and what it is called.
  struct Sample {
    /// Such as `a JSON (public.json)`.
    var name: String
    var content: HarnessContent
  }

  /// The contents that are accepted, usual ones first.
  private(set) var all: [Sample] = []
  /// Several attachments in one item; nil if the rule does not accept that.
  private(set) var several: HarnessContent?
  private let accepts: (HarnessContent) -> Bool

  /// The most samples of one extension.
  private static let countLimit = 8

  /// Looks for what an extension accepts.
  init(for target: ContentExtension, _ table: TypeTable) {
    let accepts: (HarnessContent) -> Bool = {
      target.verdict(on: $0.extensionItems(table), table).isOffered
    }
    self.accepts = accepts
    for (words, attachment) in Self.usual {
      // A rule may want more than one.
      let counts = 1...4
      let contents = counts.lazy.map { count in
        HarnessContent(items: [Array(repeating: attachment, count: count)])
      }
      guard let content = contents.first(where: accepts) else { continue }
      all.append(Sample(name: Self.name(words, content, table), content: content))
    }
    if all.isEmpty { all = Self.declared(table, accepts) }
    several = all.lazy.map { sample in
      HarnessContent(items: [
        (sample.content.items.first ?? []) + (sample.content.items.first ?? [])
      ])
    }.first(where: accepts)
  }

  /// A content made of a sample, if that is accepted too.
  func variant(
    of sample: Sample,
    _ change: (inout HarnessContent.Attachment) -> Void
  ) -> HarnessContent? {
    var content = sample.content
    for item in content.items.indices {
      for index in content.items[item].indices {
        // What it is must not depend on its bytes.
        let attachment = content.items[item][index]
        content.items[item][index].type = attachment.type ?? sample.type
        change(&content.items[item][index])
      }
    }
    return accepts(content) ? content : nil
  }

  /// Types that nothing usual has, of text.
  private static func declared(
    _ table: TypeTable,
    _ accepts: (HarnessContent) -> Bool
  ) -> [Sample] {
    var found: [Sample] = []
    for identifier in table.identifiers where found.count < countLimit {
      let content = HarnessContent.text("One line.\n", type: identifier)
      if accepts(content) {
        found.append(Sample(name: "a text as \(identifier)", content: content))
      }
    }
    return found
  }

  private static func name(
    _ words: String,
    _ content: HarnessContent,
    _ table: TypeTable
  ) -> String {
    let attachments = content.extensionItems(table).flatMap(\.attachments)
    let type = attachments.first?.types.first?.identifier ?? ""
    return attachments.count > 1
      ? "\(attachments.count) of \(words) (\(type))" : "\(words) (\(type))"
  }

  private static let usual: [(String, HarnessContent.Attachment)] = [
    ("a text", text("The first line.\nThe second line, with ä, 漢 and 👩‍👩‍👧.\n")),
    ("an address", text("https://example.com/a?b=c#d\n")),
    ("a JSON", text("{\"name\": \"Ida\", \"age\": 7, \"tags\": [\"a\", \"b\"]}\n", "data.json")),
    ("a CSV", text("name,age\nIda,7\n\"Ada, L.\",36\n", "people.csv")),
    ("a patch", text("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\n", "fix.diff")),
    ("a source file", text("print(\"hello\")\n", "hello.py")),
    ("a picture", HarnessContent.Attachment(onePixel, suggestedName: "pixel.png")),
    (
      "a file",
      HarnessContent.Attachment([0x00, 0xFF, 0x80, 0x7F, 0x0A], suggestedName: "blob.bin")
    ),
  ]

  private static func text(_ text: String, _ name: String? = nil) -> HarnessContent.Attachment {
    HarnessContent.Attachment(Array(text.utf8), suggestedName: name)
  }

  /// A picture of one pixel (PNG, second edition, sections 11.2.2 to 11.2.5).
  private static let onePixel: [UInt8] = [
    0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0x00, 0x00, 0x0D, 0x49, 0x48, 0x44, 0x52,
    0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x02, 0x00, 0x00, 0x00, 0x90, 0x77, 0x53,
    0xDE, 0x00, 0x00, 0x00, 0x0C, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9C, 0x63, 0xF8, 0xCF, 0xC0, 0x00,
    0x00, 0x03, 0x01, 0x01, 0x00, 0xC9, 0xFE, 0x92, 0xEF, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4E,
    0x44, 0xAE, 0x42, 0x60, 0x82,
  ]
}

extension SampleContents.Sample {
  /// The type that is in its name, which its attachments have.
  fileprivate var type: String? {
    let parts = name.split(separator: "(")
    return parts.count > 1 ? parts.last.map { String($0.dropLast()) } : nil
  }
}
