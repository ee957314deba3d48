import FoundationEssentials
import Glibc
import Testing
import WidgetTesting

@testable import EngineTestSupport
@testable import WidgetExtensions
@testable import WidgetPlatform

/// Secrets from files, programs and the environment.
@Suite(.timeLimit(.minutes(5))) struct SecretReaderTests {
  private let folder: BundleFolder

  init() throws {
    folder = try BundleFolder()
  }

  private func read(
    _ source: SecretSource,
    clock: any HostClock = SystemClock()
  ) async -> (secret: String?, failure: String?) {
    let environment = ["T": "from the environment", "PATH": "/usr/bin:/bin", "HOME": folder.path]
    let reader = SecretReader(environment: environment, clock: clock)
    let result: (String?, String?) = await withCheckedContinuation { continuation in
      reader.read(["a": source]) { continuation.resume(returning: ($0["a"], $1["a"])) }
    }
    return withExtendedLifetime(reader) { result }
  }

  @Test func `the first line is the secret`() async throws {
    try Data("pst\nmore\n".utf8).write(to: URL(filePath: "\(folder.path)/token"))
    #expect(await read(.file("\(folder.path)/token")).secret == "pst")
    #expect(await read(.file("~/token")).secret == "pst")
    #expect(await read(.environment("T")).secret == "from the environment")
    #expect(
      await read(.command(["sh", "-c", "echo $0 $T", "x"])).secret == "x from the environment"
    )
  }

  @Test func `a failure says what and where, and nothing of the secret`() async throws {
    let pipe = "\(folder.path)/pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    let long = "\(folder.path)/long"
    try Data(repeating: 0x61, count: SecretReader.byteLimit + 1).write(to: URL(filePath: long))
    let cases: [(SecretSource, String)] = [
      (.file("\(folder.path)/none"), "there is no file \(folder.path)/none"),
      (.file(pipe), "\(pipe) cannot be read: it is a pipe"),
      (.file(long), "\(long) cannot be read: it has 65537 bytes, more than 65536"),
      (.environment("NONE"), "the variable NONE is not set"),
      (.command(["/nowhere/at/all"]), "could not start /nowhere/at/all: No such file or directory"),
      (.command(["no-such-program-here"]), "no program no-such-program-here in PATH"),
      (.command(["/bin/sh", "-c", "echo pst; exit 3"]), "/bin/sh failed: exit 3"),
      (
        .command(["/bin/sh", "-c", "echo"]),
        "the first line of the output of /bin/sh is empty or not UTF-8"
      ),
      (.command(["/bin/sh", "-c", "yes"]), "/bin/sh printed more than 64 KiB"),
    ]
    for (source, words) in cases {
      let (secret, failure) = await read(source)
      #expect(secret == nil)
      #expect(failure == words)
    }
  }

  @Test func `a program that does not end is killed`() async {
    let clock = VirtualClock()
    let reader = SecretReader(environment: ["PATH": "/usr/bin:/bin"], clock: clock)
    var failures: [String: String]?
    reader.read(["a": .command(["sleep", "1000"])]) { failures = $1 }
    #expect(failures == nil)
    clock.advance(by: SecretReader.timeLimit)
    await eventually("its end") { failures != nil }
    #expect(failures?["a"]?.hasSuffix("did not end within 10 s") == true)
  }

  @Test(arguments: [
    "{}", "'x'", "{ file: 'x' }", "{ file: '/a', environment: 'T' }", "{ command: [] }",
    "{ command: 'x' }", "{ command: [''] }", "{ command: ['a', 1] }", "{ environment: 'a=b' }",
    "{ environment: '' }", "{ other: 'x' }",
  ])
  func `anything else is no source`(text: String) throws {
    #expect(SecretSource(try JSON5File(Array(text.utf8), path: "x").value) == nil)
  }
}
