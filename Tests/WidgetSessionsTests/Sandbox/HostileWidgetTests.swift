import FoundationEssentials
import Glibc
import Testing
import WidgetKitCore
import WidgetTestSupport

@testable import EngineTestSupport
@testable import WidgetExtensions

/// What a hostile widget can do in its sandbox: nothing beyond its own files.
@Suite(.timeLimit(.minutes(5))) struct HostileWidgetTests {
  /// What it may do in any case.
  private static let allowed = [
    "its bundle", "its data", "its cache", "the time of its file", "its temporary folder",
    "a process", "the time zones", "a pair of streams", "a pair of packets",
  ]
  /// What it may do in the full sandbox, where all of that is its own.
  private static let ownSystem = ["/tmp", "watch a folder"]
  /// What a partial sandbox does not prevent; Docs/Security.md lists it.
  private static let notPrevented = ["the existence of a file"]

  /// Runs all attempts; the result of each by its name.
  private func attempts(
    entitlements: String? = nil,
    isPartial: Bool = false,
    granted: String? = nil,
    hasSlirp: Bool = true,
    sockets reached: (OuterSockets) -> Void = { #expect(!$0.wereReached) }
  ) async throws -> [String: String] {
    let world = try TestWorld()
    let secrets = [
      "home/secret", "home/.ssh/id_rsa", "data/today/containers/com.example.other/secret",
      "data/today/secrets/com.example.other.secrets", "state/today/page",
      "cache/today/snapshots/one", "run/today/locks/one",
      "config/today/config.json",
      "home/Documents/letter",
    ]
    for secret in secrets {
      let path = "\(world.path)/\(secret)"
      try FileManager.default.createDirectory(
        atPath: String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]),
        withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700]
      )
      try world.write("secret", to: path)
    }
    let sockets = try OuterSockets(in: "\(world.path)/run")
    var path: [String: String] = [:]
    if !hasSlirp {
      let tools = "\(world.path)/tools"
      try FileManager.default.createDirectory(atPath: tools, withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(
        atPath: "\(tools)/bwrap",
        withDestinationPath: "/usr/bin/bwrap"
      )
      path["PATH"] = tools
    }
    let paths =
      secrets.map { "\"\(world.path)/\($0)\"" } + ["\"/root\"", "\"/var/log\"", "\"/etc/shadow\""]
    let run = try FixtureRun(
      "Hostile",
      environment: [
        "TODAY_TEST_SECRETS": "[\(paths.joined(separator: ", "))]",
        "TODAY_TEST_PID": "\(getpid())",
        "TODAY_TEST_SOCKETS": sockets.text,
        "TODAY_TEST_GRANTED": granted.map { "\(world.path)/\($0)" } ?? "/none",
      ].merging(path) { $1 },
      sandbox: isPartial ? .automatic : .required,
      isPartial: isPartial,
      entitlements: entitlements,
      in: world
    )
    await eventually("the end of the attempts") { run.lines.last == "end" || run.status != nil }
    #expect(run.status == nil, "\(run.log)")
    reached(sockets)
    await run.kill()
    #expect(world.processesLeft() == [])
    let pairs = run.lines.dropLast().compactMap { line -> (String, String)? in
      guard let colon = line.firstRange(of: ": ") else { return nil }
      return (String(line[..<colon.lowerBound]), String(line[colon.upperBound...]))
    }
    return Dictionary(pairs) { first, _ in first }
  }

  @Test func `it can do nothing but use its own files and the system's programs`() async throws {
    let results = try await attempts()
    check(results, allowed: Self.allowed + Self.ownSystem)
  }

  private func check(
    _ results: [String: String],
    allowed: [String],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(results.count == 77, sourceLocation: sourceLocation)
    for (name, result) in results {
      #expect(
        (result == "done") == allowed.contains(name),
        "\(name): \(result)",
        sourceLocation: sourceLocation
      )
    }
  }

  @Test(.enabled(if: Landlock.isThere, "\(Landlock.missing)"))
  func `in a partial sandbox it learns which files exist, and can do nothing else beyond its own`()
    async throws
  {
    let results = try await attempts(isPartial: true)
    check(results, allowed: Self.allowed + Self.notPrevented)
  }

  @Test(.enabled(if: Landlock.isThere, "\(Landlock.missing)"))
  func `in a partial sandbox with the network it reaches TCP ports, and no local sockets`()
    async throws
  {
    var results = try await attempts(
      entitlements: #"{ "com.apple.security.network.client" = YES; }"#,
      isPartial: true,
      sockets: { #expect($0.wereReached) }
    )
    results["UDP"] = "depends on the routes"
    check(results, allowed: Self.allowed + Self.notPrevented + ["TCP"])
  }

  @Test(.enabled(if: Landlock.isThere, "\(Landlock.missing)"))
  func `in a partial sandbox a granted folder can be read, and what is beside it cannot`()
    async throws
  {
    let results = try await attempts(
      entitlements: #"{ "com.apple.security.files.home-relative-path.read-only" = (Documents); }"#,
      isPartial: true,
      granted: "home/Documents/letter"
    )
    #expect(results["granted"] == "done")
    #expect(results.keys.count { $0.hasPrefix("read ") && results[$0] == "done" } == 1)
  }

  @Test(.enabled(if: Landlock.isThere, "\(Landlock.missing)"))
  func `in a partial sandbox process-info shows processes, but nothing of what they own`()
    async throws
  {
    let results = try await attempts(
      entitlements: #"{ "org.today.process-info" = YES; }"#,
      isPartial: true
    )
    check(results, allowed: Self.allowed + Self.notPrevented + ["other processes"])
  }

  @Test func `with the network of the machine it reaches TCP ports, and no local sockets`()
    async throws
  {
    let results = try await attempts(
      entitlements: #"{ "com.apple.security.network.client" = YES; }"#,
      hasSlirp: false,
      sockets: { #expect($0.wereReached) }
    )
    #expect(results["TCP"] == "done")
    #expect(results["a socket by path"]?.hasPrefix("PermissionError") == true)
    #expect(results["an abstract socket"]?.hasPrefix("PermissionError") == true)
    let others = results.filter { $0.value == "done" }.keys.filter { $0 != "TCP" && $0 != "UDP" }
    #expect(Set(others) == Set(Self.allowed + Self.ownSystem))
  }

  @Test(.enabled(OwnNetwork.missing) { await OwnNetwork.isThere })
  func
    `with a network of its own it reaches no socket of the machine's loopback, and no abstract one`()
    async throws
  {
    let results = try await attempts(
      entitlements: #"{ "com.apple.security.network.client" = YES; }"#
    )
    #expect(results["TCP"]?.hasPrefix("ConnectionRefusedError") == true)
    #expect(results["a socket by path"]?.hasPrefix("FileNotFoundError") == true)
    #expect(results["an abstract socket"]?.hasPrefix("ConnectionRefusedError") == true)
    let others = results.filter { $0.value == "done" }.keys.filter { $0 != "UDP" }
    #expect(Set(others) == Set(Self.allowed + Self.ownSystem))
  }

  @Test func `a granted folder can be read, and what is beside it cannot`() async throws {
    let results = try await attempts(
      entitlements: #"{ "com.apple.security.files.home-relative-path.read-only" = (Documents); }"#,
      granted: "home/Documents/letter"
    )
    #expect(results["granted"] == "done")
    #expect(results.keys.count { $0.hasPrefix("read ") && results[$0] == "done" } == 1)
  }

  @Test func `process-info shows the machine's processes, but nothing of what they own`()
    async throws
  {
    let results = try await attempts(entitlements: #"{ "org.today.process-info" = YES; }"#)
    #expect(results["other processes"] == "done")
    #expect(results["the host's environment"] != "done")
    #expect(results["the host's descriptors"] != "done")
    #expect(results["the host's files"] != "done")
    #expect(results["signal the host"] != "done")
    #expect(results["change the kernel"] != "done")
  }
}
