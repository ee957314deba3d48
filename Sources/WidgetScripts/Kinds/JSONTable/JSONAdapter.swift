import JSONQueries
import WidgetKitCore
import WidgetPlatform

/// JSON of which paths are shown: as a table (`rows`, `columns`), or as lines (`template`).
struct JSONAdapter: ScriptAdapter {
  private let shape: Result<JSONShape, JSONShape.Failure>
  private let lines: Int
  private var buffer = ScriptBuffer()

  init(_ script: ScriptProgram) {
    lines = Int(clamping: script.lines.magnitude)
    let parameters = script.options.parameters
    shape = Result { () throws(JSONShape.Failure) in try JSONShape(parameters) }
  }

  mutating func begin() { buffer.begin() }
  mutating func append(_ bytes: [UInt8]) { buffer.append(bytes) }

  mutating func content(_ end: TerminationStatus?, at now: ContinuousClock.Instant) -> ScriptContent
  {
    task(end)?() ?? .nothing
  }

  func task(_ end: TerminationStatus?) -> (@Sendable () -> ScriptContent)? {
    guard let end else { return nil }
    let (shape, lines, bytes) = (shape, lines, buffer.bytes)
    return { ScriptContent.failure(end) ?? Self.content(of: bytes, shape, lines: lines) }
  }

  /// What is shown of a text, which can take a while.
  private static func content(
    of bytes: [UInt8],
    _ shape: Result<JSONShape, JSONShape.Failure>,
    lines: Int
  ) -> ScriptContent {
    do {
      let shape = try shape.get()
      let tree = try JSONTree(printed: bytes)
      var budget = JSONPathBudget()
      let view = try shape.view(of: tree, lines: lines, &budget)
      let number = try shape.number(in: tree, &budget)
      return .picture(ScriptPicture(view: view, number: number))
    } catch {
      return .failure("\(error)")
    }
  }
}
