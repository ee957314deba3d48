import FoundationEssentials
import Testing
import WidgetKitCore

@testable import ExtensionContent

/// The uniform types, and which conforms to which.
@Suite struct TypeTableTests {
  private let table = TypeTable.standard

  @Test(arguments: [
    ("public.png", "public.image", true), ("public.png", "public.data", true),
    ("PUBLIC.PNG", "Public.Image", true), ("public.image", "public.png", false),
    ("public.json", "public.text", true), ("public.json", "public.executable", false),
    ("public.url", "public.file-url", false), ("public.file-url", "public.url", true),
    ("public.python-script", "public.plain-text", true),
    ("com.example.mine", "com.example.mine", true),
    ("com.example.mine", "public.data", false), ("public.folder", "public.data", false),
  ])
  func `a type conforms to itself and to what the table says`(
    type: String,
    other: String,
    expected: Bool
  ) {
    #expect(table.conforms(UniformType(type), to: UniformType(other)) == expected)
  }

  @Test(arguments: [
    ("fix.diff", "public.patch-file"), ("a.b.JSON", "public.json"), ("clip.mp4", "public.mpeg-4"),
    ("notes.md", "net.daringfireball.markdown"), ("main.c++", "public.c-plus-plus-source"),
  ])
  func `a name has the type of its ending`(name: String, type: String) {
    #expect(table.type(forName: name) == UniformType(type))
  }

  @Test(arguments: ["README", ".gitignore", "a.", "", "x.unheard-of"])
  func `a name without a known ending has no type`(name: String) {
    #expect(table.type(forName: name) == nil)
  }

  @Test func `a MIME type may have parameters and any case`() {
    #expect(table.type(forMIMEType: "Text/HTML; charset=utf-8") == UniformType("public.html"))
    #expect(table.type(forMIMEType: "text/x-diff") == UniformType("public.patch-file"))
    #expect(table.type(forMIMEType: "application/x-nothing") == nil)
  }

  @Test func `every parent is in the table, which has no circle and no type twice`() {
    let types = TypeTable.shipped.map(\.type)
    #expect(types.count == 100 && Set(types).count == types.count)
    for declaration in TypeTable.shipped {
      for parent in declaration.parents {
        // Apple's table names this parent only.
        if parent == UniformType("com.apple.resolvable") { continue }
        #expect(table.knows(parent), "\(declaration.type): \(parent)")
        #expect(!table.conforms(parent, to: declaration.type), "\(declaration.type)")
      }
    }
  }

  /// The database of shared-mime-info says of each ending which MIME types such files have.
  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/usr/share/mime/globs2")))
  func `the endings of a type mean the same to shared-mime-info`() throws {
    let types = try Self.globs()
    let aliases = try Self.aliases()
    // To shared-mime-info these are another format: compressed pictures, and music of the Amiga.
    let others: Set = ["svgz", "m15"]
    for declaration in TypeTable.shipped {
      for ending in declaration.extensions where !others.contains(ending) {
        guard let found = types[ending] else { continue }
        let own = Set(declaration.mimeTypes.map { aliases[$0] ?? $0 })
        // Where the ending belongs to an earlier row, that row is the one which counts.
        guard table.type(forName: "x.\(ending)") == declaration.type else { continue }
        #expect(
          !own.isDisjoint(with: found.map { aliases[$0] ?? $0 }),
          "\(declaration.type) .\(ending): \(found)"
        )
      }
    }
  }

  private static func globs() throws -> [String: [String]] {
    let text = try String(contentsOfFile: "/usr/share/mime/globs2", encoding: .utf8)
    var types: [String: [String]] = [:]
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      let parts = line.split(separator: ":")
      guard parts.count >= 3, parts[2].hasPrefix("*.") else { continue }
      types[String(parts[2].dropFirst(2)), default: []].append(String(parts[1]))
    }
    return types
  }

  private static func aliases() throws -> [String: String] {
    let text = try String(contentsOfFile: "/usr/share/mime/aliases", encoding: .utf8)
    let pairs = text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    return Dictionary(pairs.filter { $0.count == 2 }.map { ($0[0], $0[1]) }) { first, _ in first }
  }

  // MARK: - Types of apps

  private func declared(_ entries: PropertyValue...) -> (
    valid: [TypeDeclaration], problems: [String]
  ) {
    TypeDeclaration.all(in: .array(entries))
  }

  @Test func `an app adds types with their parents, endings and MIME types`() {
    let (valid, problems) = declared(
      .dictionary([
        "UTTypeIdentifier": .string("com.example.Comic"), "UTTypeDescription": .string("Comic"),
        "UTTypeConformsTo": .string("public.zip-archive"),
        "UTTypeTagSpecification": .dictionary([
          "public.filename-extension": .array([.string(".CBZ")]),
          "public.mime-type": .string("Application/X-CBZ"),
        ]),
      ])
    )
    #expect(problems.isEmpty)
    let table = table.declaring(exported: valid)
    let comic = UniformType("com.example.comic")
    #expect(table.type(forName: "a.cbz") == comic)
    #expect(table.type(forMIMEType: "application/x-cbz") == comic)
    #expect(table.conforms(comic, to: .data))
    #expect(table.words(for: comic) == "Comic")
    #expect(self.table.type(forName: "a.cbz") == nil)
  }

  @Test func `an app cannot change a standard type or take its endings`() {
    var mine = TypeDeclaration(UniformType("com.example.mine"))
    (mine.extensions, mine.parents) = (["png", "mine"], [UniformType("com.example.mine")])
    var png = TypeDeclaration(UniformType("public.png"))
    png.parents = [.text]
    let table = table.declaring(exported: [mine], imported: [png])
    #expect(table.type(forName: "a.png") == UniformType("public.png"))
    #expect(table.type(forName: "a.mine") == mine.type)
    #expect(!table.conforms(UniformType("public.png"), to: .text))
    // A type that conforms to itself ends, too.
    #expect(table.ancestors(of: mine.type) == [mine.type])
  }

  @Test func `one wrong declaration costs that one`() {
    let (valid, problems) = declared(
      .string("public.png"),
      .dictionary(["UTTypeIdentifier": .string("a b")]),
      .dictionary(["UTTypeIdentifier": .string("com.example.good")])
    )
    #expect(valid.map(\.type.identifier) == ["com.example.good"])
    #expect(problems == [1, 2].map { "type \($0): UTTypeIdentifier is not a type identifier" })
    #expect(TypeDeclaration.all(in: .number(.nan)).problems == ["expected an array of types"])
  }
}
