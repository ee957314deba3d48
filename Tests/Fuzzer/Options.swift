import FoundationEssentials
import Glibc

/// The options of the fuzzer.
struct Options {
  var seconds = 600.0
  var seed: UInt64?
  var corpus = "Tests/Fuzzer/Corpus"
  var found = "Tests/Fuzzer/Found"
  var files: [String] = []
  /// What the inputs are for.
  var targets = FuzzTarget.allCases
  /// A folder of this run.
  let scratch = "/tmp/today-fuzz-\(getpid())"

  init(_ arguments: ArraySlice<String>) {
    var rest = arguments
    while let argument = rest.popFirst() {
      switch argument {
      case "--seconds": seconds = Self.number(rest.popFirst(), argument)
      case "--seed": seed = UInt64(Self.number(rest.popFirst(), argument))
      case "--corpus": corpus = Self.value(rest.popFirst(), argument)
      case "--found": found = Self.value(rest.popFirst(), argument)
      case "--target":
        let name = Self.value(rest.popFirst(), argument)
        guard let target = FuzzTarget(rawValue: name) else {
          Fuzzer.fail("\(name) is no target, which are \(FuzzTarget.names)")
        }
        targets = [target]
      default:
        guard !argument.hasPrefix("-") else { Fuzzer.fail("\(argument) is no option") }
        files.append(argument)
      }
    }
    _ = unsafe mkdir(scratch, 0o700)
  }

  /// Removes the folder of this run.
  func cleanUp() {
    try? FileManager.default.removeItem(atPath: scratch)
  }

  private static func value(_ text: String?, _ option: String) -> String {
    guard let text else { Fuzzer.fail("\(option) expects a value") }
    return text
  }

  private static func number(_ text: String?, _ option: String) -> Double {
    guard let number = Double(value(text, option)), (0...1e9).contains(number) else {
      Fuzzer.fail("\(option) expects a number from 0 on")
    }
    return number
  }
}
