import FoundationEssentials
import Glibc
import Testing
import WidgetKitCore

@testable import EngineTestSupport
@testable import WidgetCards
@testable import WidgetPlatform

@Suite struct `The file of a picture` {
  private let folder: BundleFolder
  private let places: ImagePlaces
  private static let content = SampleImage.png

  init() throws {
    folder = try BundleFolder()
    for name in ["bundle/parts", "data", "cache", "group", "elsewhere"] {
      try FileManager.default.createDirectory(
        atPath: "\(folder.path)/\(name)",
        withIntermediateDirectories: true
      )
    }
    places = ImagePlaces(
      bundle: "\(folder.path)/bundle",
      containers: Containers(
        data: "\(folder.path)/data",
        cache: "\(folder.path)/cache",
        groups: ["g": "\(folder.path)/group"]
      )
    )
  }

  private func write(_ bytes: [UInt8], to path: String) throws {
    try Data(bytes).write(to: URL(filePath: "\(folder.path)/\(path)"))
  }

  private func read(_ path: String) throws(ImageFault) -> [UInt8] {
    try ImageFile(path, in: places).bytes()
  }

  private func fault(_ path: String) -> ImageFault? {
    do throws(ImageFault) {
      _ = try read(path)
      return nil
    } catch {
      return error
    }
  }

  @Test func `is found in the bundle, and then in the containers`() throws {
    for (place, byte) in [("bundle", 1), ("data", 2), ("cache", 3), ("group", 4)]
      as [(String, UInt8)]
    {
      try write([byte], to: "\(place)/in-\(place).png")
      #expect(try read("in-\(place).png") == [byte])
      #expect(try read("\(folder.path)/\(place)/in-\(place).png") == [byte])
    }
    try write([7], to: "bundle/parts/a.png")
    #expect(try read("parts/a.png") == [7])
    #expect(try read("./parts//a.png") == [7])
    try write([8], to: "data/in-bundle.png")
    #expect(try read("in-bundle.png") == [1])
  }

  @Test func `is refused outside of them`() throws {
    try write([1], to: "elsewhere/a.png")
    let paths = [
      "../elsewhere/a.png", "parts/../../elsewhere/a.png", "\(folder.path)/elsewhere/a.png",
      "\(folder.path)/bundle/../elsewhere/a.png", "/etc/passwd", "\(folder.path)/bundleX/a.png",
      "..", "a\0.png", String(repeating: "a/", count: 4_000),
    ]
    for path in paths { #expect(fault(path) == .outside, "\(path.prefix(60))") }
  }

  @Test func `is not read through a symbolic link`() throws {
    try write([1], to: "elsewhere/a.png")
    unsafe symlink("\(folder.path)/elsewhere/a.png", "\(folder.path)/bundle/link.png")
    unsafe symlink("\(folder.path)/elsewhere", "\(folder.path)/data/folder")
    #expect(fault("link.png") == .link)
    #expect(fault("folder/a.png") == .link)
  }

  @Test func `is a regular file, and nothing else is waited for`() throws {
    unsafe mkfifo("\(folder.path)/bundle/pipe.png", 0o600)
    #expect(fault("pipe.png") == .noFile)
    #expect(fault("parts") == .noFile)
    #expect(fault("") == .noFile)
    #expect(fault("missing.png") == .absent)
    #expect(fault("missing/a.png") == .absent)
  }

  @Test func `has a limit on its bytes`() throws {
    let path = "\(folder.path)/bundle/long.png"
    try write(Self.content, to: "bundle/long.png")
    #expect(unsafe truncate(path, ImageLimits().fileBytes + 1) == 0)
    #expect(fault("long.png") == .tooLong(4_194_305, limit: 4_194_304))
  }

  @Test func `has its size at its beginning`() throws {
    try write(Self.content, to: "bundle/a.png")
    #expect(try ImageFile("a.png", in: places).header() == ImageHeader(.png, width: 1, height: 1))
    try write(Array("no picture".utf8), to: "bundle/a.txt")
    #expect(throws: ImageFault.unknownFormat) { try ImageFile("a.txt", in: places).header() }
  }

  @Test func `that was changed since is not taken for the one before`() throws {
    try write(Self.content, to: "bundle/a.png")
    let origin = ImageOrigin(source: .path("a.png"), places: places)
    let content = ImageOrigin.Content.file(try ImageFile("a.png", in: places).identity)
    #expect(try origin.bytes(of: content, byteLimit: 1_000) == Self.content)
    try write(Self.content + [0], to: "bundle/a.png")
    #expect(throws: ImageFault.changed) { try origin.bytes(of: content, byteLimit: 1_000) }
  }

  @Test func `in a view is Base64`() throws {
    #expect(try ImageOrigin.bytes(Data([1, 2, 3]).base64EncodedString()) == [1, 2, 3])
    #expect(throws: ImageFault.badBase64) { try ImageOrigin.bytes("a") }
  }
}

/// Small pictures for tests.
enum SampleImage {
  /// One pixel.
  static let base64 =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJg"
    + "gg=="
  /// A photo of 32 × 16 pixels that has to be turned to the right: red on the left, blue on the right.
  static var turned: [UInt8] { Array(Data(base64Encoded: turnedBase64) ?? Data()) }
  private static let turnedBase64 =
    "/9j/4QAiRXhpZgAATU0AKgAAAAgAAQESAAMAAAABAAYAAAAAAAD/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEycc"
    + "HhcgLikxMC4pLSwzOko+MzZGNywtQFdBRkxOUlNSMj5aYVpQYEpRUk//2wBDAQ4ODhMREyYVFSZPNS01T09PT09P"
    + "T09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT0//wAARCAAQACADASIAAhEBAxEB/8QA"
    + "FgABAQEAAAAAAAAAAAAAAAAAAAUG/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/EABUBAQEAAAAAAAAAAAAAAAAAAAcF"
    + "/8QAFBEBAAAAAAAAAAAAAAAAAAAAAP/aAAwDAQACEQMRAD8Az4CMSUIAxCp//9k="
  static var png: [UInt8] { Array(Data(base64Encoded: base64) ?? Data()) }
}
