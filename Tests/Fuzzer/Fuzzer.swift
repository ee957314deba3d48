import CTestPlatform
import FoundationEssentials
import Glibc
import WidgetTestSupport

/// Passes random bytes to the parsers of the program, and detects traps.
///
///     Fuzzer [--seconds S] [--seed N] [--corpus DIR] [--found DIR] [--target NAME] [FILE…]
///
/// With files, only those are run: `DIR/view-1.json` is for the target `view`. Otherwise it
/// creates inputs for S seconds, 600 by default: from the grammar, from the changed corpus,
/// and from noise, for one target or for all. An input that traps is stored in `--found` and ends the run with 1.
@main struct Fuzzer {
  static func main() {
    var options = Options(CommandLine.arguments.dropFirst())
    HostSignals.prepare()
    if !options.files.isEmpty { replay(options) }
    if options.seed == nil { options.seed = UInt64(Date().timeIntervalSince1970) }
    run(options, seed: options.seed ?? 0)
  }

  /// Runs each file in a process of its own.
  private static func replay(_ options: Options) -> Never {
    var trapped = 0
    for file in options.files {
      guard let target = target(of: file), let data = FileManager.default.contents(atPath: file)
      else { fail("\(file): expected TARGET-NAME, TARGET one of \(FuzzTarget.names)") }
      if !survives([UInt8](data), target, options.scratch) {
        print("\(file) traps")
        trapped += 1
      }
    }
    options.cleanUp()
    print("\(options.files.count) inputs, \(trapped) traps")
    exit(trapped == 0 ? 0 : 1)
  }

  /// Whether the target handles the bytes without a trap, in a separate process.
  private static func survives(_ bytes: [UInt8], _ target: FuzzTarget, _ scratch: String) -> Bool {
    let child = test_fork()
    if child == 0 {
      alarm(20)
      target.run(bytes, scratch: scratch)
      _exit(0)
    }
    return wait(for: child) == 0
  }

  private static func run(_ options: Options, seed: UInt64) -> Never {
    var board = Board(folder: options.scratch)
    let end = Date().addingTimeInterval(options.seconds)
    print("seed \(seed), \(Int(options.seconds)) s, inputs are kept in \(options.found)")
    let child = test_fork()
    if child == 0 { work(options, seed: seed, until: end, board: &board) }
    let status = wait(for: child)
    let count = board.count
    options.cleanUp()
    guard status == 0 else {
      let path = board.keep(in: options.found, seed: seed)
      fail("a trap (status \(status)) after \(count) inputs of seed \(seed): \(path)")
    }
    print(
      "\(count) inputs in \(Int(options.seconds)) s, \(count / max(1, Int(options.seconds)))/s, 0 traps"
    )
    exit(0)
  }

  private static func work(
    _ options: Options,
    seed: UInt64,
    until end: Date,
    board: inout Board
  ) -> Never {
    var random = SeededGenerator(seed: seed)
    let corpus = Corpus(folder: options.corpus)
    while Date() < end {
      for _ in 0..<64 {
        let target = random.one(of: options.targets)
        var grammar = Grammar(SeededGenerator(seed: random.next()))
        var bytes =
          switch random.number(0...9) {
          case 0: Mutation.noise(&random)
          case 1...3: corpus.input(for: target, &random) ?? Array(grammar.text(for: target).utf8)
          default: Array(grammar.text(for: target).utf8)
          }
        if random.once(in: 3) { bytes = Mutation.mutate(bytes, &random) }
        board.note(bytes, target)
        // An input that takes for ever is as bad as one that traps.
        alarm(20)
        target.run(bytes, scratch: options.scratch)
      }
    }
    _exit(0)
  }

  private static func wait(for child: pid_t) -> Int32 {
    var status: Int32 = 0
    while unsafe waitpid(child, &status, 0) < 0 && errno == EINTR {}
    return status
  }

  private static func target(of file: String) -> FuzzTarget? {
    let name = file.split(separator: "/").last ?? ""
    return FuzzTarget(rawValue: String(name.prefix { $0 != "-" }))
  }

  static func fail(_ words: String) -> Never {
    print(words)
    exit(1)
  }
}

extension FuzzTarget {
  static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

/// What the fuzzed process must not inherit.
private enum HostSignals {
  static func prepare() {
    // A pipe that nobody reads ends the output, not the run.
    signal(SIGPIPE, SIG_IGN)
    // A trap is looked for, and its core is of no use to anybody.
    var none = rlimit()
    _ = unsafe setrlimit(__rlimit_resource_t(UInt32(RLIMIT_CORE.rawValue)), &none)
  }
}
