import FoundationEssentials
import Glibc
import Testing
import WidgetKitCore
import WidgetTestSupport
import WidgetTesting

@testable import EngineTestSupport
@testable import WidgetCards
@testable import WidgetPlatform

@Suite(.timeLimit(.minutes(5))) struct `Decoding a picture` {
  private static let sunset = "\(TestWorld.fixtures)/Painting.widget/sunset.png"
  private static let program = BuiltTool.path("ImageDecoder")
  nonisolated private static let symbols = ImageLook.symbols(colors: 16_777_216, .unicode)

  private func request(
    _ bytes: [UInt8],
    columns: Int = 20,
    rows: Int = 6,
    _ look: ImageLook = symbols
  ) throws -> ImageRequest {
    let header = try #require(ImageHeader(bytes))
    return ImageRequest(header: header, size: Size(columns: columns, rows: rows), look: look)
  }

  private func draw(
    _ decoder: ImageDecoder,
    _ request: ImageRequest,
    _ bytes: [UInt8]
  ) async -> Result<ImageResult, ImageFault> {
    await withCheckedContinuation { continuation in
      decoder.draw(request, bytes) { continuation.resume(returning: $0) }
    }
  }

  private func decoder(_ clock: any HostClock = SystemClock()) -> ImageDecoder {
    ImageDecoder(program: Self.program, clock: clock)
  }

  private func sunset() throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: Self.sunset)))
  }

  @Test func `gives its characters, in colours`() async throws {
    let bytes = try sunset()
    let decoder = decoder()
    let result = try await draw(decoder, request(bytes), bytes).get()
    guard case .symbols(let cells) = result else { return #expect(Bool(false)) }
    #expect(cells.count == 120)
    #expect(Set(cells).count > 60)
    #expect(cells.allSatisfy { $0.glyph.width == 1 })
    decoder.rest()
  }

  @Test(arguments: [0, 8, 16, 256], [GlyphSet.unicode, .ascii, .console])
  func `keeps to the colours and characters of a terminal`(_ colors: Int, _ glyphs: GlyphSet)
    async throws
  {
    let bytes = try sunset()
    let decoder = decoder()
    let look = ImageLook.symbols(colors: colors, glyphs)
    let result = try await draw(decoder, request(bytes, look), bytes).get()
    guard case .symbols(let cells) = result else { return #expect(Bool(false)) }
    for cell in cells {
      for color in [cell.style.foreground, cell.style.background].compactMap(\.self) {
        guard case .indexed(let index) = color else { return #expect(Bool(false), "\(color)") }
        #expect(Int(index) < colors)
      }
      if glyphs == .ascii { #expect((0x20...0x7E).contains(cell.glyph.base)) }
    }
    decoder.rest()
  }

  @Test func `gives its pixels, not enlarged and not distorted`() async throws {
    let bytes = try sunset()
    let decoder = decoder()
    let look = ImageLook.pixels(cellWidth: 10, cellHeight: 20)
    let small = try await draw(decoder, request(bytes, columns: 20, rows: 10, look), bytes).get()
    let large = try await draw(decoder, request(bytes, columns: 200, rows: 90, look), bytes).get()
    guard case .pixels(let few) = small, case .pixels(let all) = large else {
      return #expect(Bool(false))
    }
    #expect([few.width, few.height] == [200, 113])
    #expect([all.width, all.height] == [480, 270])
    // Dark above, bright where the sun is.
    #expect(all.bytes[..<3].allSatisfy { $0 < 100 })
    #expect(all.bytes.contains { $0 > 240 })
    decoder.rest()
  }

  @Test(arguments: [ImageLook.pixels(cellWidth: 4, cellHeight: 8), symbols])
  func `turns a photo as it was taken`(look: ImageLook) async throws {
    let bytes = SampleImage.turned
    let decoder = decoder()
    let request = try request(bytes, columns: 4, rows: 4, look)
    #expect([request.header.width, request.header.height] == [16, 32])
    // Red lies on the left in the file, and above as it is shown.
    switch try await draw(decoder, request, bytes).get() {
    case .pixels(let pixels):
      #expect([pixels.width, pixels.height] == [16, 32])
      #expect(pixels.bytes[0] > 200 && pixels.bytes[2] < 60)
      #expect(pixels.bytes[15 * 4] > 200 && pixels.bytes[31 * 16 * 4] < 60)
    case .symbols(let cells):
      let colors = [cells[0], cells[15]].map { $0.style.background ?? $0.style.foreground }
      guard case .rgb(let red, _, _)? = colors[0], case .rgb(_, _, let blue)? = colors[1] else {
        return #expect(Bool(false), "\(colors)")
      }
      #expect(red > 150 && blue > 150)
    }
    decoder.rest()
  }

  @Test func `is done by a process that can only compute`() async throws {
    let bytes = try sunset()
    let decoder = decoder()
    _ = try await draw(decoder, request(bytes), bytes).get()
    let files = FileManager.default
    func children() -> [String] {
      (try? files.contentsOfDirectory(atPath: "/proc"))?.filter { name in
        guard Int(name) != nil, let status = ProcFile.text("/proc/\(name)/status") else {
          return false
        }
        return status.hasPrefix("Name:\tImageDecoder\n")
          && status.contains("PPid:\t\(getpid())\n")
      } ?? []
    }
    // Those of other tests may have been started a moment ago.
    await eventually("decoders that are confined") {
      !children().isEmpty
        && children().allSatisfy {
          ProcFile.text("/proc/\($0)/status")?.contains("Seccomp:\t2\n") ?? true
        }
    }
    let child = try #require(children().first)
    let status = try #require(ProcFile.text("/proc/\(child)/status"))
    #expect(status.contains("Seccomp:\t2\n") && status.contains("NoNewPrivs:\t1\n"))
    let limits = try #require(ProcFile.text("/proc/\(child)/limits"))
    let limit = { (name: String) in
      limits.split(separator: "\n").first { $0.hasPrefix(name) }?.dropFirst(26)
        .split(separator: " ").first.map(String.init)
    }
    #expect(limit("Max file size") == "0")
    #expect(limit("Max processes") == "0")
    #expect(limit("Max address space") == "1073741824")
    #expect(limit("Max cpu time").flatMap { Int($0) }.map { $0 < 60 } == true)
    // Three streams and nothing of the host; of such a process only root sees them.
    let descriptors = try? files.contentsOfDirectory(atPath: "/proc/\(child)/fd").sorted()
    #expect(descriptors == ["0", "1", "2"] || geteuid() != 0)
    decoder.rest()
    await eventually("the end of the decoder") { !files.fileExists(atPath: "/proc/\(child)") }
  }

  @Test func `refuses what is damaged, and goes on with the next one`() async throws {
    let bytes = try sunset()
    let decoder = decoder()
    let good = try request(bytes)
    var lying = good
    lying.header.width += 1
    var jpeg = good
    jpeg.header.format = .jpeg
    for (request, file) in [(lying, bytes), (jpeg, bytes)] {
      let result = await draw(decoder, request, file)
      guard case .failure(let fault) = result else {
        Issue.record("it was decoded")
        continue
      }
      #expect(fault.description.hasPrefix("cannot be decoded: "))
      #expect(!fault.description.contains("decoder ended"))
    }
    #expect((try? await draw(decoder, good, bytes).get()) != nil)
    decoder.rest()
  }

  @Test func `refuses a picture of a billion times a billion pixels`() async throws {
    var bytes = SampleImage.png
    bytes.replaceSubrange(16..<24, with: [0x3B, 0x9A, 0xCA, 0, 0x3B, 0x9A, 0xCA, 0])
    let header = try #require(ImageHeader(bytes))
    #expect(header.width == 1_000_000_000)
    let decoder = decoder()
    let request = ImageRequest(header: header, size: Size(columns: 2, rows: 1), look: Self.symbols)
    let result = await draw(decoder, request, bytes)
    #expect(result == .failure(ImageFault("cannot be decoded: too many pixels")))
    decoder.rest()
  }

  // MARK: - A decoder that a file has taken over

  /// A decoder that does `body` with each request, whose head is in `request`.
  private func script(_ body: String) throws -> (ImageDecoder, VirtualClock, BundleFolder) {
    let folder = try BundleFolder()
    let path = "\(folder.path)/decoder"
    let text = """
      #!/usr/bin/env python3
      import os, struct, sys, time
      def answer(kind, width, height, content):
          head = struct.pack("5I", 0x676D4974, kind, width, height, len(content))
          os.write(1, head + content)
      while True:
          head = sys.stdin.buffer.read(44)
          if len(head) < 44:
              break
          request = struct.unpack("11I", head)
          sys.stdin.buffer.read(request[10])
          \(body)

      """
    try Data(text.utf8).write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    let clock = VirtualClock()
    return (ImageDecoder(program: path, clock: clock), clock, folder)
  }

  @Test(arguments: [
    ("os.abort()", "cannot be decoded: the decoder ended (SIGABRT)"),
    ("sys.exit(3)", "cannot be decoded: the decoder ended (exit 3)"),
    (
      #"os.write(1, b"\x1b]0;hello\x07" * 10)"#,
      "cannot be decoded: the decoder gave a wrong answer"
    ),
    (#"answer(2, 1, 1, b"x" * 12)"#, "cannot be decoded: the decoder gave a wrong answer"),
    (#"answer(1, 20, 6, b"x" * 480)"#, "cannot be decoded: the decoder gave a wrong answer"),
    (#"answer(2, 20, 6, b"x" * 1441)"#, "cannot be decoded: the decoder gave a wrong answer"),
    (#"answer(3, 0, 0, b"x" * 5000)"#, "cannot be decoded: the decoder gave a wrong answer"),
    (#"answer(3, 0, 0, b"\x1b[2J")"#, "cannot be decoded: ␛[2J"),
  ])
  func `that misbehaves costs only this picture`(_ body: String, _ words: String) async throws {
    let (decoder, _, folder) = try script(body)
    let result = await draw(decoder, try request(SampleImage.png), SampleImage.png)
    #expect(result == .failure(ImageFault(words)))
    // The next one is tried again.
    let second = await draw(decoder, try request(SampleImage.png), SampleImage.png)
    #expect(second == .failure(ImageFault(words)))
    decoder.rest()
    withExtendedLifetime(folder) {}
  }

  @Test func `that floods is ended`() async throws {
    let (decoder, _, folder) = try script(
      "[os.write(1, struct.pack('I', 0x676D4974) * 16384) for _ in iter(int, 1)]"
    )
    let result = await draw(decoder, try request(SampleImage.png), SampleImage.png)
    #expect(result == .failure(ImageFault("cannot be decoded: the decoder gave a wrong answer")))
    withExtendedLifetime(folder) {}
  }

  @Test func `that hangs has five seconds`() async throws {
    let (decoder, clock, folder) = try script("time.sleep(3600)")
    var result: Result<ImageResult, ImageFault>?
    decoder.draw(try request(SampleImage.png), SampleImage.png) { result = $0 }
    clock.advance(by: .milliseconds(4_990))
    #expect(result == nil)
    clock.advance(by: .milliseconds(20))
    #expect(result == .failure(ImageFault("takes more than 5 s to decode")))
    withExtendedLifetime(folder) {}
  }

  @Test func `gives only characters of pictures, whatever the decoder says`() async throws {
    let (decoder, _, folder) = try script(
      #"answer(2, 20, 6, struct.pack("Iii", 27, 0xFFFFFF, -5) * 60 + struct.pack("Iii", 0x9FFFFFFF, 1, 2) * 60)"#
    )
    let result = try await draw(decoder, try request(SampleImage.png), SampleImage.png).get()
    guard case .symbols(let cells) = result else { return #expect(Bool(false)) }
    #expect(cells.allSatisfy { $0.glyph == .space })
    decoder.rest()
    withExtendedLifetime(folder) {}
  }

  @Test func `without a decoder fails`() async throws {
    let decoder = ImageDecoder(program: nil, clock: SystemClock())
    let result = await draw(decoder, try request(SampleImage.png), SampleImage.png)
    #expect(result == .failure(.noDecoder))
  }

  @Test func `can be checked as a whole`() async throws {
    #expect(await ImageCheck.run(executable: Self.program) == ImageCheck())
  }
}
