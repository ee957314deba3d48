import ExtensionContent
import WidgetKitCore
import WidgetRequests

/// The compose sheet: what a person types, the items beside it, and completions.
struct SheetChecks {
  private let run: RequestConformanceRun
  private let sample: SampleContents.Sample

  /// The most rows of a preview.
  private static let previewRows = 8
  /// The most choices that are tried.
  private static let choiceLimit = 20
  private static let widths = [16, 40, 80, 200]

  init(_ run: RequestConformanceRun, _ sample: SampleContents.Sample) {
    (self.run, self.sample) = (run, sample)
  }

  /// Makes the checks; of an extension without a sheet, none.
  func run(_ report: inout TestReport) async {
    guard run.target.hasView, let harness = try? run.harness(),
      (try? await harness.begin(sample.content)) != nil
    else { return }
    guard harness.request?.compose != nil else { return await run.end(harness) }
    checkPreview(harness, &report)
    checkItems(harness, &report)
    await checkTexts(harness, &report)
    await checkChoices(harness, &report)
    await run.end(harness)
  }

  private func checkPreview(_ harness: RequestHarness, _ report: inout TestReport) {
    let title = "its preview is visible, in at most \(Self.previewRows) rows"
    guard let preview = harness.request?.compose?.preview else {
      return report.skip(title, because: "the preview is that of the host")
    }
    let environment = LayoutEnvironment(now: harness.clock.date)
    let problems = Self.widths.compactMap { width -> String? in
      let picture = ViewLayout.layOut(preview, width: width, height: nil, in: environment)
      if picture.size.rows > Self.previewRows {
        return "\(picture.size.rows) rows in \(width) columns; the rest is cut off"
      }
      return picture.size.rows == 0 ? "it is empty in \(width) columns" : nil
    }
    report.check(title, problem: problems.isEmpty ? nil : problems.joined(separator: "\n"))
  }

  // MARK: - The text

  private func checkTexts(_ harness: RequestHarness, _ report: inout TestReport) async {
    let texts = [
      ("an empty text", ""),
      ("a text of 10,000 characters", String(repeating: "word ", count: 2_000)),
      ("a text of combined characters", "👩‍👩‍👧 e\u{301} 漢字 עברית"),
    ]
    guard harness.implements.contains(ContentDidChangeRequest.method) else {
      for (words, _) in texts {
        report.skip("contentDidChange is answered for \(words)", because: "not implemented")
      }
      return
    }
    for (words, text) in texts {
      let start = harness.messages.count
      var problem = await self.problem { () throws(HarnessFailure) in try await harness.type(text) }
      problem =
        problem
        ?? harness.record.problem(
          with: ContentDidChangeRequest.self,
          within: harness.steps.patience,
          patience: harness.steps.patience,
          from: start
        )
      report.check("contentDidChange is answered for \(words)", problem: problem)
    }
    await checkCount(harness, &report)
  }

  private func checkCount(_ harness: RequestHarness, _ report: inout TestReport) async {
    let title =
      "the count of characters falls as the text grows, and the same text has the same one"
    var counts: [Int?] = []
    for text in ["a", "aaaa", "a"] {
      guard (try? await harness.type(text)) != nil else { break }
      counts.append(harness.charactersRemaining)
    }
    guard counts.count == 3, let short = counts[0], let long = counts[1] else {
      return report.skip(title, because: "no count is shown")
    }
    var problem: String?
    if long > short { problem = "\(short) for one character and \(long) for four" }
    if counts[2] != short { problem = "\(short), and later \(counts[2] ?? 0), for the same text" }
    report.check(title, problem: problem)
  }

  // MARK: - Items

  private func checkItems(_ harness: RequestHarness, _ report: inout TestReport) {
    let title = "configuration items have ids of their own, titles, and values among their choices"
    let items = harness.request?.compose?.configurationItems ?? []
    guard !items.isEmpty else { return report.skip(title, because: "there are none") }
    var problems = items.filter(\.title.isEmpty).map { "“\($0.id)” has no title" }
    if Set(items.map(\.id)).count < items.count { problems.append("two items have one id") }
    problems += items.compactMap { item in
      guard let value = item.value, let choices = item.choices, !choices.isEmpty,
        !choices.contains(value)
      else { return nil }
      return "the value “\(value)” of “\(item.title)” is none of its choices"
    }
    problems += items.filter { $0.id.isEmpty }.map { "“\($0.title)” has no id" }
    report.check(title, problem: problems.isEmpty ? nil : problems.joined(separator: "\n"))
  }

  private func checkChoices(_ harness: RequestHarness, _ report: inout TestReport) async {
    let items = harness.request?.compose?.configurationItems ?? []
    let title = "a choice of an item is taken, and shown"
    guard !items.isEmpty else { return report.skip(title, because: "there are no items") }
    var problems: [String] = []
    for item in items {
      for choice in (item.choices ?? []).prefix(Self.choiceLimit) {
        if let problem = await choose(item, choice, harness) { problems.append(problem) }
      }
      guard item.choices?.isEmpty != false else { continue }
      let problem = await problem { () throws(HarnessFailure) in
        try await harness.choose(item.id)
        if harness.request?.pushedView != nil {
          guard harness.rows.contains(where: { !$0.isEmpty }) else {
            throw HarnessFailure("“\(item.title)” has pushed an empty view")
          }
          try await harness.goBack()
        }
      }
      if let problem { problems.append(problem) }
    }
    report.check(title, problem: problems.isEmpty ? nil : problems.joined(separator: "\n"))
    checkCompletions(harness, &report)
  }

  private func choose(
    _ item: ComposeContent.ConfigurationItem,
    _ choice: String,
    _ harness: RequestHarness
  ) async -> String? {
    let problem = await problem { () throws(HarnessFailure) in
      try await harness.choose(item.id, choice)
    }
    if let problem { return problem }
    let now = harness.request?.compose?.configurationItems.first { $0.id == item.id }
    // A choice may take the item away.
    guard let now, now.value != choice, now.valuePending != true else { return nil }
    return
      "“\(item.title)” shows “\(now.value ?? "")” after “\(choice)” was chosen; send setCompose"
  }

  private func checkCompletions(_ harness: RequestHarness, _ report: inout TestReport) {
    let title = "completions have texts, and replace characters that are there"
    guard let completions = harness.request?.compose?.completions else {
      return report.skip(title, because: "there are none")
    }
    let count = harness.sheetText.count
    let problems = completions.compactMap { completion -> String? in
      if completion.text.isEmpty { return "a completion has no text" }
      let replaces = completion.replaces ?? 0
      return replaces > count || replaces < 0
        ? "“\(completion.text)” replaces \(replaces) characters of \(count)" : nil
    }
    report.check(title, problem: problems.isEmpty ? nil : problems.joined(separator: "\n"))
  }

  private func problem(_ step: () async throws(HarnessFailure) -> Void) async -> String? {
    do throws(HarnessFailure) {
      try await step()
      return nil
    } catch {
      return error.description
    }
  }
}
