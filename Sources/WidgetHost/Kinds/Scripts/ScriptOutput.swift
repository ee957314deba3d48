import WidgetKitCore

/// What a script has printed, as a view in the format of the script.
nonisolated enum ScriptOutput {
  /// Returns the view of an output.
  ///
  /// A script that does not say its format prints a menu if there is a line `---`, and a parameter behind a `|`.
  static func view(of output: [UInt8], _ script: ScriptProgram) -> ViewNode {
    guard let dialect = dialect(of: output, script) else {
      return ScriptText.view(of: output, lines: script.lines)
    }
    let text = String(decoding: output, as: UTF8.self)
    return XbarView.view(of: XbarMenu(text, dialect), dialect)
  }

  private static func dialect(of output: [UInt8], _ script: ScriptProgram) -> XbarDialect? {
    switch script.format {
    case .text: nil
    case .xbar: .xbar
    case .swiftbar: .swiftbar
    case .argos: .argos
    case nil: isMenu(output) ? .xbar : nil
    }
  }

  private static func isMenu(_ output: [UInt8]) -> Bool {
    let lines = output.split(separator: UInt8(ascii: "\n"), maxSplits: 1_000)
    guard lines.contains(where: { $0.elementsEqual("---".utf8) }) else { return false }
    return lines.contains { line in
      guard let bar = line.firstIndex(of: UInt8(ascii: "|")) else { return false }
      return line[bar...].contains(UInt8(ascii: "="))
    }
  }
}
