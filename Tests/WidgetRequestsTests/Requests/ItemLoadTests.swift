import ExtensionContent
import FoundationEssentials
import Glibc
import Testing
import WidgetKitCore
import WidgetTestSupport

@testable import WidgetPlatform
@testable import WidgetRequests

/// The representations of an attachment, which are made when they are asked for.
@Suite struct ItemLoadTests {
  private let world: TestWorld
  private let terms: ItemLoad.Terms

  init() throws {
    world = try TestWorld()
    let containers = Containers(data: "\(world.path)/data", cache: "\(world.path)/cache")
    terms = ItemLoad.Terms(
      table: .standard,
      charset: nil,
      folder: try RequestFolder(in: containers),
      lineBytes: 1000,
      requestBytes: 1 << 30
    )
  }

  private func spool(_ bytes: [UInt8]) throws -> RequestSpool {
    let spool = try RequestSpool(in: world.path)
    try spool.append(bytes)
    return spool
  }

  private func provider(_ text: String, _ types: [UniformType]) throws -> ItemProvider {
    let source = ItemProvider.Source.spool(try spool(Array(text.utf8)))
    return ItemProvider([.init(types: types, source: source)], size: text.utf8.count)
  }

  private func load(
    _ provider: ItemProvider,
    _ type: UniformType,
    _ form: LoadItemRequest.Form
  ) -> Result<LoadItemRequest.Reply, WireError> {
    let request = LoadItemRequest(attachment: "a1", type: type.identifier, form: form)
    return ItemLoad(request).make(provider, terms) { _, _ in }
  }

  private func error(_ result: Result<LoadItemRequest.Reply, WireError>) -> Int? {
    if case .failure(let error) = result { error.details?.itemProviderError } else { nil }
  }

  @Test func `a representation is made when it is asked for, and no other`() throws {
    let json = UniformType("public.json")
    let provider = ItemProvider(
      [
        .init(types: [json], source: .spool(try spool(Array("{}".utf8)))),
        .init(types: [.plainText], source: .spool(try spool(Array("two".utf8)))),
      ],
      size: 2
    )
    #expect(provider.timesMade(json) == 0 && provider.timesMade(.plainText) == 0)
    let reply = try load(provider, .plainText, .text).get()
    #expect(reply.text == "two")
    #expect(provider.timesMade(json) == 0 && provider.timesMade(.plainText) == 1)
  }

  @Test func `a type stands for its children, and the most faithful one is loaded`() throws {
    let png = UniformType("public.png")
    let provider = try provider("x", [png])
    #expect(try load(provider, .image, .data).get().data == "eA==")
    #expect(provider.timesMade(png) == 1)
  }

  @Test func `what cannot be loaded has one of the four errors`() throws {
    let text = try provider("abc", [.plainText])
    #expect(error(load(text, .image, .data)) == -1000)
    #expect(error(load(text, .plainText, .url)) == -1100)
    #expect(error(load(try provider("x", [.image]), .image, .text)) == -1100)
    let binary = ItemProvider(
      [.init(types: [.plainText], source: .spool(try spool([0x67, 0xFC])))],
      size: 2
    )
    #expect(error(load(binary, .plainText, .text)) == -1200)
    #expect(error(load(try provider("two words", [.url]), .url, .url)) == -1200)
    let long = try provider(String(repeating: "a", count: 1001), [.plainText])
    #expect(error(load(long, .plainText, .text)) == -1200)
    let gone = ItemProvider(
      [.init(types: [.plainText], source: .file("\(world.path)/nothing"))],
      size: nil
    )
    #expect(error(load(gone, .plainText, .text)) == -1)
  }

  @Test func `an address is loaded without the white space around it`() throws {
    let url = try load(try provider("https://example.com/a\n", [.url]), .url, .url).get().url
    #expect(url == "https://example.com/a")
  }

  @Test func `a path is a copy with the name of the content, and goes with the folder`() throws {
    let source = ItemProvider.Source.spool(try spool(Array("abc".utf8)))
    let provider = ItemProvider(
      [.init(types: [.plainText], source: source)],
      size: 3,
      suggestedName: "a b.txt"
    )
    let reply = try load(provider, .data, .path).get()
    let path = try #require(reply.path)
    #expect(path.hasPrefix(terms.folder.path + "/") && path.hasSuffix("/a b.txt"))
    #expect(reply.size == 3 && reply.isInPlace == false)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "abc")
    terms.folder.remove()
    #expect(FileIdentity(terms.folder.path) == nil)
  }

  @Test func `a path is the file itself where it is permitted and seen, and has not changed`()
    throws
  {
    let path = "\(world.path)/own.txt"
    try world.write("abc", to: path)
    let file = try EditedFile(path)
    let other = UniformType("public.json")
    let provider = ItemProvider(
      [
        .init(types: [.plainText], source: .spool(try spool(Array("abc".utf8)))),
        .init(types: [other], source: .spool(try spool(Array("{}".utf8)))),
      ],
      size: 3,
      suggestedName: "own.txt",
      inPlace: file
    )
    // The extension does not see it.
    #expect(try load(provider, .plainText, .path).get().isInPlace == false)
    var terms = terms
    terms.filesInPlace = [file.target]
    func reply(_ type: UniformType) throws -> LoadItemRequest.Reply {
      let request = LoadItemRequest(attachment: "a1", type: type.identifier, form: .path)
      return try ItemLoad(request).make(provider, terms) { _, _ in }.get()
    }
    let own = try reply(.plainText)
    #expect(own.path == file.target && own.size == 3 && own.isInPlace == true)
    #expect(try reply(other).isInPlace == false)
    try world.write("changed", to: path)
    let copy = try reply(.plainText)
    #expect(copy.isInPlace == false && copy.size == 3)
  }

  @Test func `a pipe is read no further than its beginning until somebody loads it`() throws {
    var ends: [Int32] = [0, 0]
    #expect(unsafe pipe(&ends) == 0)
    let text = Array("the rest".utf8)
    #expect(unsafe write(ends[1], text, text.count) == text.count)
    close(ends[1])
    defer { close(ends[0]) }
    let piped = PipedContent(ends[0], beginning: Array("the beginning, ".utf8), in: world.path)
    let provider = ItemProvider([.init(types: [.plainText], source: .pipe(piped))], size: nil)
    _ = ContentPreview.view(of: provider, .standard)
    var left: Int32 = 0
    #expect(unsafe ioctl(ends[0], UInt(FIONREAD), &left) == 0)
    #expect(Int(left) == text.count)
    #expect(try load(provider, .plainText, .text).get().text == "the beginning, the rest")
    #expect(try load(provider, .plainText, .text).get().text == "the beginning, the rest")
  }

  @Test func `a preview has at most eight rows, with a count of the others`() throws {
    let text = (1...20).map { "line \($0)" }.joined(separator: "\n")
    let view = ContentPreview.view(of: try provider(text, [.plainText]), .standard)
    guard case .vstack(let stack) = view.content else {
      Issue.record("\(view)")
      return
    }
    #expect(stack.children.count == ContentPreview.rowLimit)
    #expect("\(stack.children.last as Any)".contains("… 13 more lines"))
  }

  @Test func `what is returned is in the folders of the extension, and no link leads to it`() throws
  {
    let folder = terms.folder
    try world.write("abc", to: "\(folder.path)/good")
    #expect(try folder.open(returned: "\(folder.path)/good").read(3) == Array("abc".utf8))
    #expect(unsafe symlink("/etc/passwd", "\(folder.path)/link") == 0)
    for path in [
      "/etc/passwd", "good", "\(folder.path)/../../secret", "\(folder.path)/link",
      "\(folder.path)/nothing", folder.path,
    ] {
      #expect(throws: HostError.self, "\(path)") { _ = try folder.open(returned: path).read(1) }
    }
  }
}
