import FoundationEssentials
import Glibc
import Testing
import WidgetKitCore

@testable import EngineTestSupport
@testable import WidgetCards
@testable import WidgetPages
@testable import WidgetPlatform
@testable import WidgetSessions

/// Files of the user: links are followed, and reading never blocks.
@Suite(.timeLimit(.minutes(5))) struct UserFileTests {
  private let folder: BundleFolder
  private let file: String

  init() throws {
    folder = try BundleFolder()
    file = "\(folder.path)/dotfiles/config.json"
    try FileManager.default.createDirectory(
      atPath: "\(folder.path)/dotfiles",
      withIntermediateDirectories: true
    )
    try Data("{ limits: { widgets: 7 } }".utf8).write(to: URL(filePath: file))
  }

  private func widgets() -> (limit: Int, problems: [String]) {
    let environment = ["XDG_CONFIG_HOME": "\(folder.path)/config"]
    var configuration = CenterConfiguration(environment: environment, executablePath: "")
    UserConfiguration(environment: environment).apply(to: &configuration)
    return (configuration.limits.bundles.widgets, configuration.problems.map(\.string))
  }

  @Test(arguments: ["config", "config/today", "config/today/config.json"])
  func `the configuration may be a link`(place: String) throws {
    let path = "\(folder.path)/\(place)"
    let parent = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
    try FileManager.default.createDirectory(
      atPath: String(parent),
      withIntermediateDirectories: true
    )
    switch place {
    case "config":
      try FileManager.default.createDirectory(
        atPath: "\(folder.path)/dotfiles/today",
        withIntermediateDirectories: true
      )
      #expect(rename(file, "\(folder.path)/dotfiles/today/config.json") == 0)
      #expect(symlink("\(folder.path)/dotfiles", path) == 0)
    case "config/today": #expect(symlink("\(folder.path)/dotfiles", path) == 0)
    default: #expect(symlink(file, path) == 0)
    }
    #expect(widgets().limit == 7)
    #expect(widgets().problems == [])
  }

  @Test(arguments: OddFile.allCases)
  func `a configuration that is not a file is reported`(odd: OddFile) throws {
    let path = "\(folder.path)/config/today/config.json"
    try FileManager.default.createDirectory(
      atPath: "\(folder.path)/config/today",
      withIntermediateDirectories: true
    )
    guard try odd.make(at: path, stranger: file) else { return }
    let isFile = odd == .linkElsewhere || odd == .hardLink
    #expect(widgets().limit == (isFile ? 7 : 500))
    #expect(widgets().problems.count == (isFile ? 0 : 1))
  }

  @Test func `a trace replaces a trace or an empty file, and no other file`() throws {
    let path = "\(folder.path)/a.trace"
    func write(_ text: String) throws { try Data(text.utf8).write(to: URL(filePath: path)) }
    func text() -> String? { try? String(contentsOfFile: path, encoding: .utf8) }
    for old in [nil, "", "{\"trace\":1,\"t\":0}\n", "{\"t\":0.1,\"widget\":\"a.old\"}\n"] {
      if let old { try write(old) }
      try TraceWriter(path: path).write(.from, widget: CardID("a.b"), message: [0x31], isJSON: true)
      #expect(text()?.hasSuffix("\"message\":1}\n") == true && text()?.contains("a.old") == false)
    }
    try write("# My notes\n")
    let error = #expect(throws: HostError.self) { _ = try TraceWriter(path: path) }
    #expect(error?.description.contains("a file that is no trace") == true)
    #expect(text() == "# My notes\n")
  }

  @Test func `a trace follows no link in a folder that others can write to`() throws {
    let (shared, own) = ("\(folder.path)/shared", "\(folder.path)/own.trace")
    try FileManager.default.createDirectory(atPath: shared, withIntermediateDirectories: true)
    try Data().write(to: URL(filePath: own))
    #expect(symlink(own, "\(shared)/a.trace") == 0)
    _ = try TraceWriter(path: "\(shared)/a.trace")
    #expect(chmod(shared, 0o1777) == 0)
    let error = #expect(throws: HostError.self) { _ = try TraceWriter(path: "\(shared)/a.trace") }
    #expect(error?.description.contains("a link in a folder that others can write to") == true)
    _ = try TraceWriter(path: "\(shared)/b.trace")
  }

  @Test func `a trace into a pipe without a reader is an error`() throws {
    let path = "\(folder.path)/pipe"
    #expect(mkfifo(path, 0o600) == 0)
    let error = #expect(throws: HostError.self) { _ = try TraceWriter(path: path) }
    #expect(error?.description.contains("the pipe has no reader") == true)
  }

  @Test func `a trace into a pipe with a slow reader loses whole lines and never blocks`() throws {
    let path = "\(folder.path)/pipe"
    #expect(mkfifo(path, 0o600) == 0)
    let reader = open(path, O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    let trace = try TraceWriter(path: path)
    let message = Array(#"{"text":"\#(String(repeating: "x", count: 10_000))"}"#.utf8)
    for _ in 0..<100 { trace.write(.from, widget: CardID("a.b"), message: message, isJSON: true) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 17)
    func drain() {
      while case let count = read(reader, &buffer, buffer.count), count > 0 {
        bytes += buffer[..<count]
      }
    }
    drain()
    trace.write(.from, widget: CardID("a.b"), message: Array("{}".utf8), isJSON: true)
    drain()
    let lines = bytes.split(separator: 0x0A)
    #expect(bytes.last == 0x0A && lines.count > 2)
    for line in lines {
      #expect(line.starts(with: #"{"t":"#.utf8) && line.last == UInt8(ascii: "}"))
    }
    #expect(lines.last?.count ?? 0 < 100)
  }
}
