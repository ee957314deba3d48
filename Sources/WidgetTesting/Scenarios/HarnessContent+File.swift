extension HarnessContent {
  /// Reads the content of a request from a file: `{ "request": { "text": "…" } }`, or the first one of a scenario.
  ///
  /// - Parameter path: The file, in JSON5.
  /// - Returns: The content, and the settings for its request.
  /// - Throws: ``HarnessFailure`` that says what is wrong, and where.
  package static func read(_ path: String) throws(HarnessFailure)
    -> (content: HarnessContent, options: [String: String])
  {
    let steps = try ScenarioReader.steps(path, name: path)
    for step in steps {
      if case .request(let content, let options) = step.action { return (content, options) }
    }
    throw HarnessFailure(
      "\(path): there is no request; expected { \"request\": { \"text\": \"…\" } }"
    )
  }
}
