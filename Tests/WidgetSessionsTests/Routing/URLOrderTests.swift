import Foundation
import Testing
import WidgetKitCore
import WidgetTestSupport
import WidgetTesting

@testable import EngineTestSupport
@testable import WidgetExtensions

/// What opens a URL where several programs could, with stand-ins for the programs of the desktop.
@Suite(.timeLimit(.minutes(5))) struct URLOrderTests {
  private let folder: BundleFolder
  private let router: URLRouter
  private let clock = VirtualClock()

  init() throws {
    folder = try BundleFolder()
    router = URLRouter(
      environment: [
        "PATH": "\(folder.path)/bin:/usr/bin:/bin", "HOME": folder.path,
        "XDG_DATA_DIRS": "\(folder.path)/share",
      ],
      clock: clock
    )
    router.handover = { _ in }
  }

  private func apps(_ names: String...) throws -> [AppBundle] {
    try names.map { name in
      try folder.app("\(name).app", "com.example.\(name)", schemes: ["slack"])
      return try AppBundle(path: "\(folder.path)/\(name).app")
    }
  }

  private func script(_ name: String, _ text: String) throws {
    let path = "\(folder.path)/bin/\(name)"
    try FileManager.default.createDirectory(
      atPath: "\(folder.path)/bin",
      withIntermediateDirectories: true
    )
    try "#!/bin/sh\n\(text)\n".write(toFile: path, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
  }

  private func desktopFile(_ name: String, _ lines: String) throws {
    let path = "\(folder.path)/share/applications/\(name)"
    try FileManager.default.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent,
      withIntermediateDirectories: true
    )
    try "[Desktop Entry]\nName=Web\n\(lines)\n".write(
      toFile: path,
      atomically: true,
      encoding: .utf8
    )
  }

  private func handler(of text: String, from caller: AppBundle? = nil) async throws -> String? {
    let url = try #require(CheckedURL(text))
    return await withCheckedContinuation { continuation in
      router.find(url, from: caller) { continuation.resume(returning: $0?.name) }
    }
  }

  @Test func `first the widget's own app, then the user's command, then other apps`() async throws {
    let apps = try apps("A", "B")
    router.registry = SchemeRegistry(apps: apps)
    #expect(try await handler(of: "slack:1") == "com.example.A")
    router.openers = ["slack": URLOpener(["w3m"])]
    #expect(try await handler(of: "slack:1") == "w3m")
    #expect(try await handler(of: "slack:1", from: apps[1]) == "com.example.B")
  }

  @Test func `then the desktop file that has registered the scheme`() async throws {
    try script(
      "xdg-mime",
      #"test "$*" = "query default x-scheme-handler/slack" && echo x-slack.desktop"#
    )
    try desktopFile("x/slack.desktop", "Exec=slack %u")
    #expect(try await handler(of: "slack:1") == "Web")
    router.registry = SchemeRegistry(apps: try apps("A"))
    #expect(try await handler(of: "slack:1") == "com.example.A")
  }

  @Test func `then xdg-open, but only for the schemes of every desktop`() async throws {
    try script("xdg-mime", "exit 0")
    #expect(try await handler(of: "https://a/") == "xdg-open")
    #expect(try await handler(of: "slack:1") == nil)
    try script("xdg-mime", "echo gone.desktop")
    #expect(try await handler(of: "mailto:a@b") == "xdg-open")
  }

  @Test func `a program of the desktop that needs a terminal gets the screen`() async throws {
    try script("xdg-mime", "echo w3m.desktop")
    try script("w3m", "exit 0")
    try desktopFile("w3m.desktop", "Exec=w3m %u\nTerminal=true")
    var programs = 0
    await withCheckedContinuation { continuation in
      router.handover = {
        programs += 1
        $0.refuse()
      }
      router.open("https://a/") { _ in continuation.resume() }
    }
    #expect(programs == 1)
  }

  @Test(arguments: [(true, 1), (false, 0)])
  func `a command of the user gets the screen if it says so`(
    usesTerminal: Bool,
    count: Int
  ) async throws {
    try script("w3m", "exit 0")
    router.openers = ["https": URLOpener(["w3m"], usesTerminal: usesTerminal)]
    var programs = 0
    let refusal = await withCheckedContinuation { continuation in
      router.handover = {
        programs += 1
        $0.refuse()
      }
      router.open("https://a/") { continuation.resume(returning: $0) }
    }
    #expect(programs == count)
    #expect(refusal == (usesTerminal ? .didNotStart(handler: "w3m") : nil))
  }

  @Test func `a program that is not installed is named`() async {
    router.openers = ["https": URLOpener(["no-such-program"])]
    let refusal = await withCheckedContinuation { continuation in
      router.open("https://a/") { continuation.resume(returning: $0) }
    }
    #expect(refusal?.description == "there is no program “no-such-program”")
  }

  @Test(arguments: [(0, true), (3, false)])
  func `xdg-open has opened the URL if it exits with 0`(code: Int, isOpened: Bool) async throws {
    try script("xdg-mime", "exit 0")
    try script("xdg-open", "exit \(code)")
    let refusal = await withCheckedContinuation { continuation in
      router.open("https://a/") { continuation.resume(returning: $0) }
    }
    #expect((refusal == nil) == isOpened)
  }

  @Test func `xdg-open that still runs after 2 s has opened the URL`() async throws {
    try script("xdg-mime", "exit 0")
    try script("xdg-open", "echo $$ > '\(folder.path)/pid'; exec sleep 1000")
    var answers: [URLRefusal?] = []
    router.open("https://a/") { answers.append($0) }
    var pid: pid_t?
    await eventually("the start of xdg-open") {
      pid = (try? String(contentsOfFile: "\(folder.path)/pid", encoding: .utf8))
        .flatMap { pid_t($0.dropLast()) }
      return pid != nil
    }
    clock.advance(by: .milliseconds(1_900))
    #expect(answers.isEmpty)
    clock.advance(by: .milliseconds(200))
    #expect(answers == [nil])
    kill(try #require(pid), SIGKILL)
  }
}
