import FoundationEssentials
import WidgetKitCore

/// Checks the scenarios of an extension and their goldens, without playing them.
struct ScenarioLint {
  private let path: String
  private let isScript: Bool
  private let isOfRequests: Bool
  private let folder: String

  /// - Parameters:
  ///   - path: The bundle, or the script.
  ///   - isScript: Whether it is a script.
  ///   - isOfRequests: Whether it is a share extension or an action, and no widget.
  init(_ path: String, isScript: Bool, isOfRequests: Bool = false) {
    (self.path, self.isScript, self.isOfRequests) = (path, isScript, isOfRequests)
    folder = ScenarioFolder.path(of: path, isScript: isScript)
  }

  func run() -> [LintFinding] {
    let names = files(folder).filter { $0.hasSuffix(".json") }
    guard !names.isEmpty else {
      let file = isScript ? path : "\(path)/Info.plist"
      return [
        LintFinding(
          .noScenario,
          file,
          "there is no scenario",
          advice: "describe one in \(folder.split(separator: "/").last ?? "")/NAME.json"
        )
      ]
    }
    var findings: [LintFinding] = []
    var used: Set<String> = []
    let goldens = Set(files("\(folder)/Goldens"))
    for name in names {
      let path = "\(folder)/\(name)"
      let scenario: Scenario
      do throws(HarnessFailure) {
        scenario = try ScenarioReader.read(path, name: path)
      } catch {
        let (place, words) = Self.parts(error.description, path)
        findings.append(
          LintFinding(
            .scenario,
            path,
            at: place,
            words,
            advice: "see Docs/Testing.md for the steps"
          )
        )
        continue
      }
      for step in scenario.steps
      where isOfRequests ? step.action.isOfWidget : step.action.isOfRequest {
        findings.append(
          LintFinding(
            .scenario,
            path,
            at: Self.parts("\(step.place): ", path).place,
            isOfRequests
              ? "this step is for widgets" : "this step is for share extensions and actions",
            advice: "see Docs/Testing.md for the steps"
          )
        )
      }
      for step in scenario.steps {
        guard case .expect(let expectation) = step.action, let golden = expectation.golden else {
          continue
        }
        used.insert("\(golden).txt")
        guard !goldens.contains("\(golden).txt") else { continue }
        findings.append(
          LintFinding(
            .golden,
            path,
            at: Self.parts("\(step.place): ", path).place,
            member: golden,
            "Goldens/\(golden).txt is missing",
            advice: "write it with “today test --record”"
          )
        )
      }
    }
    for name in goldens.subtracting(used).sorted() {
      findings.append(
        LintFinding(
          .golden,
          "\(folder)/Goldens/\(name)",
          "no scenario uses it",
          advice: "remove it, or name it in a scenario"
        )
      )
    }
    return findings
  }

  private func files(_ folder: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { !$0.hasPrefix(".") }.sorted()
  }

  /// Splits `FILE:3:7: words`.
  private static func parts(_ text: String, _ path: String) -> (place: TextPlace?, words: String) {
    let rest = text.hasPrefix(path) ? text.dropFirst(path.count) : text[...]
    let numbers = rest.drop { $0 == ":" }.prefix { $0.isNumber || $0 == ":" }.split(separator: ":")
    guard numbers.count == 2, let line = Int(numbers[0]), let column = Int(numbers[1]) else {
      return (nil, rest.drop { $0 == ":" || $0 == " " }.description)
    }
    let words = rest.drop { $0 == ":" || $0.isNumber }.drop { $0 == " " }
    return (TextPlace(line: line, column: column), String(words))
  }
}
