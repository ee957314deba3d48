import FoundationEssentials
import Glibc
import Testing
import WidgetTestSupport

/// Actions without a view that are bundles, over the protocol: `today act` as their host.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct ActBundleTests {
  private let world: TestWorld

  /// A filter that does what its setting `mode` says.
  private static let program = """
    #!/usr/bin/env python3
    import json, os, sys
    mode, context, tmp = "", None, os.environ["TMPDIR"]
    def say(**message):
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\\n")
        sys.stdout.flush()
    def load(form, type="public.plain-text", attachment="a1"):
        say(id="load", method="loadItem", params={"attachment": attachment, "type": type, "as": form})
    def complete(id="done", type="public.plain-text", **content):
        say(id=id, method="completeRequest",
            params={"returningItems": [{"attachments": [{"type": type, **content}]}]})
    def file(name, text=""):
        path = os.path.join(tmp, name)
        with open(path, "w") as made:
            made.write(text)
        return path
    for line in sys.stdin:
        call = json.loads(line)
        method = call.get("method")
        if method == "initialize":
            params = call["params"]
            mode, context = params["configuration"]["mode"], params["extensionContext"]
            if mode == "exit-initialize":
                sys.exit(3)
            if mode == "silent-initialize":
                continue
            answer = {"protocolVersion": 1, "implements": ["requestDidComplete"]}
            say(id=call["id"], result=answer)
            if mode == "twice":
                say(id=call["id"], result=answer)
            elif mode == "exit-begin":
                sys.exit(0)
            elif mode == "crash":
                os.abort()
            elif mode == "flood":
                while True:
                    sys.stdout.write("x" * 65536)
            elif mode == "garbage":
                while True:
                    print("no json", flush=True)
            elif mode == "cancel":
                say(method="cancelRequest", params={"error": "not today"})
            elif mode == "outside":
                complete(path="/etc/passwd")
            elif mode == "dots":
                complete(path=tmp + "/../../../../etc/passwd")
            elif mode == "link":
                os.symlink("/etc/passwd", tmp + "/link")
                complete(path=tmp + "/link")
            elif mode == "pipe":
                os.mkfifo(tmp + "/pipe")
                complete(path=tmp + "/pipe")
            elif mode == "large":
                os.truncate(file("large"), 10 << 30)
                complete(path=tmp + "/large")
            elif mode == "request":
                complete(text=json.dumps([params[name] for name in
                         ("reason", "extensionPoint", "hasView", "role")] + [context]))
            elif mode == "nothing":
                say(id="done", method="completeRequest", params={"returningItems": []})
            elif mode == "open":
                say(id="open", method="openURL", params={"url": "https://example.com"})
            elif mode == "stranger":
                load("text", attachment="a7")
            elif mode == "picture":
                load("text", type="public.png")
            elif mode.startswith("as-"):
                load(mode[3:])
            elif mode == "size":
                load("path", type="public.data")
            else:
                load("path" if mode in ("path", "place") else "text")
        elif call.get("id") == "load":
            if mode == "exit-load":
                sys.exit(4)
            if "error" in call:
                error = call["error"]
                code = error.get("data", {}).get("itemProviderError")
                complete(text=json.dumps([error["code"], code]))
            elif mode == "path":
                path = call["result"]["path"]
                text = open(path).read().upper()
                if path.startswith(tmp + "/") == call["result"]["isInPlace"]:
                    text = "the path is " + path
                complete(path=file("result", text))
            elif mode.startswith("as-"):
                complete(text=json.dumps(call["result"]))
            elif mode == "size":
                complete(text=str(os.path.getsize(call["result"]["path"])))
            elif mode == "place":
                result = call["result"]
                path, content = result["path"], open(result["path"]).read()
                try:
                    may_write = bool(open(path, "a"))
                except OSError:
                    may_write = False
                try:
                    other = bool(open(os.path.join(os.path.dirname(path), "b.txt")))
                except OSError:
                    other = False
                place = "copy" if path.startswith(tmp + "/") else path
                complete(text=json.dumps([place, content, result["isInPlace"], may_write, other]))
            elif mode == "complete-twice":
                complete(text=call["result"]["text"].upper())
                complete("again", text="again")
            else:
                complete(text=call["result"]["text"].upper())
        elif call.get("id") == "open":
            complete(text=str(call["result"]["success"]))
        elif method == "requestDidComplete":
            sys.exit(0)
    """

  init() throws {
    world = try TestWorld()
    let folder = "\(world.path)/bundles/Upper.appex"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try file(
      "bundles/Upper.appex/Info.plist",
      """
      { CFBundleIdentifier = "com.example.Upper"; CFBundleDisplayName = Upper;
        CFBundleExecutable = upper;
        NSExtension = { NSExtensionPointIdentifier = "com.apple.services"; NSExtensionAttributes = {
          NSExtensionActivationRule = { NSExtensionActivationDictionaryVersion = 2;
            NSExtensionActivationSupportsText = YES; NSExtensionActivationSupportsFileWithMaxCount = 1; };
          TodaySettings = ( { name = mode; title = Mode; type = string; default = upper; } ); }; }; }
      """
    )
    try file("bundles/Upper.appex/upper", Self.program)
    #expect(unsafe chmod("\(folder)/upper", 0o755) == 0)
  }

  private func file(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: URL(filePath: "\(world.path)/\(name)"))
  }

  private func text(_ name: String) -> String? {
    try? String(contentsOfFile: "\(world.path)/\(name)", encoding: .utf8)
  }

  /// Runs a command line of a shell in the folder of the world; `$act` is the command with the filter.
  private func shell(
    _ line: String,
    mode: String = "upper",
    path: String? = nil,
    patience: Int = 1
  ) throws -> ProgramRun {
    var environment = world.environment(term: nil)
    environment["PATH"] = path ?? environment["PATH"]
    environment["today"] = BuiltProgram.path
    environment["act"] =
      "\(BuiltProgram.path ?? "") act --widgets \(world.path)/bundles --with upper --option mode=\(mode)"
    return try ProgramRun(
      ProgramDescription("/bin/sh", ["-c", line], environment: environment, directory: world.path),
      patience: patience
    )
  }

  @Test func `a filter over the protocol makes text of standard input into other text`() throws {
    let run = try shell("printf 'a\\nb' | $act")
    #expect(run.outputText == "A\nB" && run.status == .exited(code: 0), "\(run.errorText)")
    #expect(world.processesLeft() == [])
  }

  @Test func `a request has its reason, point, role and items, and only what is named`() throws {
    let run = try shell("printf abc > note.txt; $act note.txt", mode: "request")
    let expected = """
      ["request", "com.apple.services", false, "editor", {"inputItems": [{"attachments": [{"id": "a1", \
      "registeredTypeIdentifiers": ["public.plain-text"], "size": 3, "suggestedName": "note.txt"}]}]}]
      """
    #expect(run.outputText == expected, "\(run.errorText)")
  }

  @Test func `a path is a copy in the folder of the extension, which goes with the process`() throws
  {
    let run = try shell("printf abc | $act", mode: "path")
    #expect(run.outputText == "ABC", "\(run.errorText)")
    let left = try shell("find . -name 'request-*'")
    #expect(left.outputText.isEmpty)
  }

  @Test(arguments: [
    ("as-url", "[-32603, -1100]"), ("picture", "[-32603, -1000]"),
    ("stranger", "[-32602, null]"), ("as-data", "{\"data\": \"YWJj\"}"),
  ])
  func `what cannot be loaded has one of four errors`(mode: String, result: String) throws {
    let run = try shell("printf abc | $act", mode: mode)
    #expect(run.outputText == result, "\(run.errorText)")
  }

  @Test func `bytes that are no text of the charset are an error, and never other characters`()
    throws
  {
    let given = try shell("printf 'gr\\374n' | $act --charset ISO-8859-1", mode: "upper")
    #expect(given.outputText == "GRÜN", "\(given.errorText)")
    let wrong = try shell("printf 'gr\\374n' | $act --type public.plain-text", mode: "as-text")
    #expect(wrong.outputText == "[-32603, -1200]", "\(wrong.errorText)")
  }

  @Test func `text that is too long for a message is loaded as a path`() throws {
    let text = try shell("seq 100000 | $act", mode: "as-text")
    #expect(text.outputText == "[-32603, -1200]", "\(text.errorText)")
    let path = try shell("seq 100000 | $act | cksum; seq 100000 | cksum", mode: "path")
    let sums = path.outputText.split(separator: "\n")
    #expect(sums.count == 2 && sums[0] == sums[1], "\(path.errorText)")
  }

  @Test func `an extension that returns no item leaves the content as it is`() throws {
    #expect(try shell("printf abc | $act", mode: "nothing").outputText == "abc")
  }

  @Test func `a request opens no URL`() throws {
    #expect(try shell("printf abc | $act", mode: "open").outputText == "False")
  }

  @Test func `the first completion counts`() throws {
    #expect(try shell("printf abc | $act", mode: "complete-twice").outputText == "ABC")
  }

  private static let failures = [
    ("exit-initialize", "exit"), ("exit-begin", "exit"), ("exit-load", "exit"),
    ("crash", "SIGABRT"), ("twice", "twice"), ("cancel", "not today"),
    ("outside", "outside of its folders"), ("dots", "outside of its folders"),
    ("link", "it is a link"), ("pipe", "cannot be read"), ("large", "exit"),
    ("flood", "line"), ("garbage", ""), ("silent-initialize", "no answer in 5 s"),
  ]

  @Test(arguments: failures)
  func `a request that fails leaves the content byte for byte, and says why`(
    mode: String,
    reason: String
  ) throws {
    let run = try shell("printf 'keep me\\n' | $act", mode: mode)
    #expect(run.outputText == "keep me\n" && run.status == .exited(code: 1), "\(mode)")
    #expect(run.errorText.hasPrefix("today: Upper: ") && run.errorText.contains(reason))
    #expect(world.processesLeft() == [])
  }

  @Test func `a file stays as it is when the extension fails, and is taken back when it does not`()
    throws
  {
    try file("a.txt", "abc")
    #expect(try shell("$act -i a.txt", mode: "exit-load").status == .exited(code: 1))
    #expect(text("a.txt") == "abc")
    #expect(try shell("$act -i a.txt").status == .exited(code: 0))
    #expect(text("a.txt") == "ABC")
    #expect(try shell("$today act --undo").status == .exited(code: 0))
    #expect(text("a.txt") == "abc")
  }

  @Test(.enabled(if: FullSandbox.isThere, "bubblewrap cannot make namespaces here"))
  func `an editor reads the file in place that it replaces, and a copy of any other`() throws {
    try file("a.txt", "abc")
    try file("b.txt", "other")
    let copied = try shell("$act a.txt", mode: "place")
    #expect(copied.outputText == "[\"copy\", \"abc\", false, true, false]", "\(copied.errorText)")
    let replaced = try shell("$act -i a.txt", mode: "place")
    let place = "[\"\(world.path)/a.txt\", \"abc\", true, false, false]"
    #expect(text("a.txt") == place, "\(replaced.errorText)")
    // In a folder of the program nothing is shown.
    let hidden = try shell(
      "mkdir -p state/today; printf abc >state/today/c.txt; $act -i state/today/c.txt",
      mode: "place"
    )
    let copy = "[\"copy\", \"abc\", false, true, false]"
    #expect(text("state/today/c.txt") == copy, "\(hidden.errorText)")
  }

  @Test(.enabled(if: Landlock.isThere, "\(Landlock.missing)"))
  func `without bubblewrap, too, an editor reads the file in place, and no other one`() throws {
    try file("a.txt", "abc")
    try file("b.txt", "other")
    let copied = try shell("$act a.txt", mode: "place", path: "/nowhere")
    #expect(copied.outputText == "[\"copy\", \"abc\", false, true, false]", "\(copied.errorText)")
    let replaced = try shell("$act -i a.txt", mode: "place", path: "/nowhere")
    let place = "[\"\(world.path)/a.txt\", \"abc\", true, false, false]"
    #expect(text("a.txt") == place, "\(replaced.errorText)")
    #expect(text("b.txt") == "other")
  }

  /// The exit status of a run of `$act`, and the most memory that it or a program of its own had, in MiB.
  private func memory(_ file: String, patience: Int = 1) throws -> (run: ProgramRun, peak: Int) {
    // The kernel counts in KiB (getrusage(2)).
    let measure = """
      import resource, subprocess, sys
      code = subprocess.run(sys.argv[1:]).returncode
      print("", resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)
      sys.exit(code)
      """
    try self.file("measure.py", measure)
    let run = try shell(
      "/usr/bin/python3 measure.py $act \(file)",
      mode: "size",
      patience: patience
    )
    return (run, Int(run.outputText.split(whereSeparator: \.isWhitespace).last ?? "") ?? .max)
  }

  @Test func `a content that is larger than the memory of the host is given as a path`() throws {
    #expect(truncate(of: "large.bin", to: 160 << 20))
    let (run, peak) = try memory("large.bin", patience: 2)
    #expect(run.outputText.hasPrefix("\(160 << 20) "), "\(run.errorText)")
    #expect(peak < 100)
  }

  @Test func `a file above the limit is refused before anything is copied`() throws {
    #expect(truncate(of: "huge.bin", to: 2 << 30))
    // Who copies it first is ended by the kernel.
    let run = try shell("ulimit -f 2048; $act huge.bin", mode: "size")
    let words = "huge.bin is larger than limits.requestBytes, \(1 << 30) bytes\n"
    #expect(run.errorText == "today: \(words)")
    #expect(run.status == .exited(code: 1) && run.outputText == "")
    let replaced = try shell("ulimit -f 2048; $act -i huge.bin", mode: "size")
    #expect(replaced.errorText.hasSuffix(words), "\(replaced.errorText)")
    let peak = try memory("huge.bin").peak
    #expect(peak < 100)
  }

  /// Makes a file of zeros that takes no place on the disk.
  private func truncate(of name: String, to size: Int) -> Bool {
    let path = "\(world.path)/\(name)"
    let isMade = FileManager.default.createFile(atPath: path, contents: nil)
    return unsafe isMade && Glibc.truncate(path, size) == 0
  }

  @Test func `a file that is replaced is whole at every moment at which the command is killed`()
    throws
  {
    let old = String(repeating: "abc\n", count: 20_000)
    for step in 0..<12 {
      try file("a.txt", old)
      _ = try shell("timeout -s KILL 0.\(step / 10)\(step % 10)5 $act -i a.txt", mode: "path")
      let now = text("a.txt")
      #expect(now == old || now == old.uppercased(), "killed after \(step)5 ms")
    }
  }

  @Test func `an interrupted request gives the input back`() throws {
    let run = try shell(
      """
      printf keep | { exec 3<&0; $act <&3 & pid=$!
      while [ -z "$(find . -name 'request-*')" ]; do sleep 0.05; done
      kill -INT $pid; wait $pid; echo " $?"; }
      """,
      mode: "silent-initialize"
    )
    #expect(run.outputText == "keep 130\n", "\(run.errorText)")
    #expect(world.processesLeft() == [])
  }
}
