import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetTesting

@testable import EngineTestSupport
@testable import WidgetCards
@testable import WidgetPages
@testable import WidgetPlatform

/// A page with one widget that shows a picture of its bundle, and a drawer that a test controls.
@Suite struct `The pictures of a card` {
  /// Draws when a test lets it.
  private final class FakeDrawer: ImageDrawer {
    private(set) var requests: [ImageRequest] = []
    private var completions: [(Result<ImageResult, ImageFault>) -> Void] = []
    private(set) var rests = 0

    func draw(
      _ request: ImageRequest,
      _ bytes: [UInt8],
      completion: @escaping (Result<ImageResult, ImageFault>) -> Void
    ) {
      requests.append(request)
      completions.append(completion)
    }

    func rest() { rests += 1 }

    func answer(_ index: Int, _ fault: ImageFault? = nil) {
      let size = requests[index].size
      let cell = Cell(glyph: Glyph.glyphs(of: "▀")[0], style: .plain)
      let cells = Array(repeating: cell, count: size.columns * size.rows)
      completions[index](fault.map { .failure($0) } ?? .success(.symbols(cells)))
    }
  }

  private let drawer = FakeDrawer()
  private let folder: BundleFolder
  private static let look = ImageLook.symbols(colors: 256, .unicode)

  init() throws {
    folder = try BundleFolder()
    try folder.widget("widgets/A.widget", EngineWorld.id.bundleIdentifier)
    try write(width: 320, height: 80)
  }

  private func write(_ name: String = "a.png", width: UInt16, height: UInt16) throws {
    var bytes = SampleImage.png
    let size: [UInt8] = [width, height].flatMap { (number: UInt16) -> [UInt8] in
      [0, 0, UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)]
    }
    bytes.replaceSubrange(16..<24, with: size)
    try Data(bytes).write(to: URL(filePath: "\(folder.path)/widgets/A.widget/\(name)"))
  }

  private func image(_ path: String = "a.png", _ more: String = "") -> String {
    #"{"type":"image","path":"\#(path)","alt":"a clown"\#(more)}"#
  }

  private func world(_ view: String) throws -> EngineWorld {
    let world = try EngineWorld(
      ["viewWillAppear": #"{"view":\#(view)}"#],
      folder: folder
    ) { $0.imageDrawer = drawer }
    world.center.images.setLook(Self.look)
    try world.open()
    return world
  }

  /// Waits until the drawer has got so many requests.
  private func requests(_ count: Int, _ world: EngineWorld) async {
    await eventually("\(count) requests") { drawer.requests.count >= count }
    world.settle()
  }

  private func hasPicture(_ world: EngineWorld) -> Bool {
    guard let body = world.center.drawing.body(of: EngineWorld.id, at: world.clock.now) else {
      return false
    }
    return body.from.runs.contains { $0.cells.contains { $0.glyph.image != nil } }
  }

  @Test func `that are cut short are shown as their alt, and never in part`() async throws {
    let bytes = SampleImage.png.dropLast(3)
    try Data(bytes).write(to: URL(filePath: "\(folder.path)/widgets/A.widget/a.png"))
    let world = try world(image())
    await eventually("the refusal") { world.center.page.isSettled(EngineWorld.id) }
    #expect(world.picture == ["a clown"])
    #expect(drawer.requests.isEmpty)
    let log = world.center.folders.readLog(of: EngineWorld.id) ?? ""
    #expect(log.contains("image “a.png” is cut short: its end is missing"))
  }

  @Test func `keep to the limits of the user`() throws {
    let library = { (change: (inout ImageLimits) -> Void) -> ImageLibrary in
      var limits = ImageLimits()
      change(&limits)
      return ImageLibrary(drawer: drawer, limits: limits)
    }
    let places = ImagePlaces(
      bundle: "\(folder.path)/widgets/A.widget",
      containers: Containers(data: "/nowhere", cache: "/nowhere")
    )
    let origin = ImageOrigin(source: .path("a.png"), places: places)
    #expect(throws: ImageFault("has 70 bytes; the limit is 69")) {
      try library { $0.fileBytes = 69 }.find(origin)
    }
    #expect(throws: ImageFault("has 320 × 80 pixels; the limit is 25599 in all")) {
      try library { $0.pixels = 25_599 }.find(origin)
    }
    #expect(try library { $0.pixels = 25_600 }.find(origin).pixels == Size(columns: 320, rows: 80))
  }

  @Test func `are shown as their alt with the right height until they are drawn`() async throws {
    let world = try world(image())
    #expect(world.picture == ["a clown"])
    // 40 columns less a margin on each side; 320 × 80 pixels are 8 cells wide for one high.
    #expect(world.rows == 5)
    #expect(!world.center.page.isSettled(EngineWorld.id))
    await requests(1, world)
    #expect(drawer.requests[0].size == Size(columns: 38, rows: 5))
    let changes = world.changes
    drawer.answer(0)
    world.settle()
    #expect(world.changes > changes)
    #expect(hasPicture(world))
    #expect(world.rows == 5)
    #expect(world.center.page.isSettled(EngineWorld.id))
  }

  @Test func `are drawn once for each size`() async throws {
    let world = try world(#"{"type":"vstack","children":[\#(image()),\#(image())]}"#)
    await requests(1, world)
    drawer.answer(0)
    world.settle()
    world.center.screen.setWidth(30)
    await requests(2, world)
    drawer.answer(1)
    world.settle()
    world.center.screen.setWidth(40)
    world.settle()
    #expect(hasPicture(world))
    #expect(drawer.requests.map(\.size.columns) == [38, 28])
  }

  @Test func `are drawn for others at their widths too`() async throws {
    let world = try world(image())
    await requests(1, world)
    drawer.answer(0)
    world.settle()
    let layout = { (width: Int) in
      world.center.drawing.publicLayout(of: EngineWorld.id, width: width)
    }
    let isDrawn = { (width: Int) in
      layout(width)?.runs.contains { $0.cells.contains { $0.glyph.image != nil } } == true
    }
    #expect(!isDrawn(24) && world.center.page.hasPendingImages(EngineWorld.id))
    await requests(2, world)
    drawer.answer(1)
    world.settle()
    #expect(drawer.requests[1].size.columns == 24)
    #expect(isDrawn(24) && hasPicture(world))
    #expect(!world.center.page.hasPendingImages(EngineWorld.id))
  }

  @Test func `that cannot be drawn stay alt, with one line in the log`() async throws {
    let world = try world(image())
    await requests(1, world)
    drawer.answer(0, ImageFault("cannot be decoded: the decoder ended (SIGSEGV)"))
    world.settle()
    #expect(world.picture == ["a clown"])
    #expect(world.center.page.isSettled(EngineWorld.id))
    try world.widget.notify("setView", #"{"view":\#(image("a.png", #","id":"x""#))}"#)
    world.settle()
    let log = world.center.folders.readLog(of: EngineWorld.id) ?? ""
    let line = "image “a.png” cannot be decoded: the decoder ended (SIGSEGV)"
    #expect(log.components(separatedBy: line).count == 2)
    #expect(drawer.requests.count == 1)
  }

  @Test(arguments: [
    ("../../../etc/passwd", "is outside of the bundle and its containers"),
    ("/etc/passwd", "is outside of the bundle and its containers"),
    ("b.png", "is neither in the bundle nor in a container"),
    ("Info.plist", "is not a PNG, JPEG, GIF or WebP file"),
  ])
  func `are refused with the reason in the log`(_ path: String, _ words: String) throws {
    let world = try world(image(path))
    #expect(world.picture == ["a clown"])
    let log = world.center.folders.readLog(of: EngineWorld.id) ?? ""
    #expect(log.contains("image “\(path)” \(words)"))
    #expect(drawer.requests.isEmpty)
  }

  @Test func `with too many pixels are refused`() throws {
    try write(width: 65_535, height: 65_535)
    let world = try world(image())
    let log = world.center.folders.readLog(of: EngineWorld.id) ?? ""
    #expect(log.contains("has 65535 × 65535 pixels; the limit is 32000000 in all"))
    #expect(world.rows == 1)
  }

  @Test func `beyond the limit of a view are refused`() async throws {
    let names = (0..<34).map { "p\($0).png" }
    for (index, name) in names.enumerated() {
      try write(name, width: 16, height: UInt16(16 + index))
    }
    let world = try world(
      #"{"type":"vstack","children":[\#(names.map { image($0) }.joined(separator: ","))]}"#
    )
    await requests(32, world)
    #expect(drawer.requests.count == 32)
    let log = world.center.folders.readLog(of: EngineWorld.id) ?? ""
    #expect(log.contains("image “p32.png” is one of more than 32 pictures in a view"))
  }

  @Test func `follow a file that the widget replaces`() async throws {
    let world = try world(image())
    await requests(1, world)
    drawer.answer(0)
    world.settle()
    try write(width: 320, height: 160)
    try world.widget.notify("setView", #"{"view":\#(image())}"#)
    world.pass(.seconds(2))
    #expect(world.rows == 10)
    await requests(2, world)
    #expect(drawer.requests[1].header.height == 160)
  }

  @Test func `of a file that is written again and again are drawn now and then`() async throws {
    let world = try world(image())
    let file = URL(filePath: "\(folder.path)/widgets/A.widget/a.png")
    await requests(1, world)
    // Each takes a second of the decoder: the budget of a card is three at once.
    for count in 1...4 {
      world.clock.advance(by: .seconds(1))
      drawer.answer(count - 1)
      world.settle()
      try write(again: count, to: file)
      try world.widget.notify("setView", #"{"view":\#(image("a.png", #","id":"\#(count)""#))}"#)
      world.pass(.milliseconds(500))
      if count < 4 { await requests(count + 1, world) }
    }
    // The fourth has used up the budget, and what is written then waits.
    for count in 5...7 {
      try write(again: count, to: file)
      try world.widget.notify("setView", #"{"view":\#(image("a.png", #","id":"\#(count)""#))}"#)
      world.pass(.milliseconds(500))
    }
    try #require(drawer.requests.count == 4)
    #expect(hasPicture(world))
    // It is drawn later, as the file is then. A page that has changed lays its cards out.
    let changes = world.changes
    world.pass(.seconds(10))
    #expect(world.changes > changes && world.rows > 0)
    await requests(5, world)
    try #require(drawer.requests.count == 5)
    drawer.answer(4)
    world.settle()
    #expect(hasPicture(world))
    world.pass(.seconds(20))
    #expect(drawer.requests.count == 5)
  }

  /// Writes the picture with another number of bytes behind it.
  private func write(again turn: Int, to file: URL) throws {
    try Data(SampleImage.png + Array(repeating: 0, count: turn)).write(to: file)
  }

  @Test func `for another terminal replace those that come too late`() async throws {
    let world = try world(image())
    await requests(1, world)
    world.center.images.setLook(.symbols(colors: 16, .ascii))
    await requests(2, world)
    drawer.answer(0)
    world.settle()
    #expect(!hasPicture(world))
    drawer.answer(1)
    world.settle()
    #expect(hasPicture(world))
    #expect(drawer.requests[1].look == .symbols(colors: 16, .ascii))
  }

  @Test func `are not read where none are shown`() throws {
    let world = try EngineWorld(
      ["viewWillAppear": #"{"view":\#(image())}"#],
      folder: folder
    ) { $0.imageDrawer = drawer }
    try world.open()
    #expect(world.picture == ["a clown"])
    #expect(world.rows == 5)
    #expect(world.center.page.isSettled(EngineWorld.id))
    #expect(drawer.requests.isEmpty)
  }

  @Test func `in the message itself are drawn like files`() async throws {
    let world = try world(#"{"type":"image","data":"\#(SampleImage.base64)","alt":"dot"}"#)
    #expect(world.rows == 1)
    await requests(1, world)
    drawer.answer(0)
    world.settle()
    #expect(hasPicture(world))
  }

  @Test func `of stored content are found at the next start`() async throws {
    let first = try world(image())
    await requests(1, first)
    first.pass(.seconds(40))
    var isDone = false
    first.center.shutdown { isDone = true }
    first.pass(.seconds(3))
    #expect(isDone)
    #expect(drawer.rests > 0)
    let second = try EngineWorld([:], folder: folder) { $0.imageDrawer = drawer }
    second.center.images.setLook(Self.look)
    second.center.screen.setWidth(40)
    second.center.load()
    second.settle()
    #expect(second.rows == 5)
    await requests(2, second)
    drawer.answer(1)
    second.settle()
    #expect(hasPicture(second))
  }
}
