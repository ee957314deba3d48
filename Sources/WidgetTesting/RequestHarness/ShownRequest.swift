import FoundationEssentials
import WidgetKitCore
import WidgetRequests

/// What a person sees of a request in a test, and has typed in its sheet.
///
/// A class because the request calls it when the extension has changed something.
final class ShownRequest {
  /// The request; nil when it is over.
  private(set) var request: ExtensionRequest?
  /// The text of the sheet.
  private(set) var text = ""
  /// Whether the sheet or the view has appeared.
  private(set) var hasAppeared = false
  /// How often the extension has set the text of the sheet.
  private var revision = 0
  private let dates: DateWording

  /// The size of a view.
  static let size = Size(columns: 80, rows: 24)

  /// Prepares to show a request, of which nothing has appeared yet.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - hasView: Whether the extension has a view or a sheet.
  ///   - options: The zone of the dates.
  init(_ request: ExtensionRequest, hasView: Bool, _ options: HarnessOptions) {
    self.request = request
    dates = DateWording(zone: options.timeZone)
    request.onChange = { [weak self] in self?.update(hasView: hasView) }
  }

  /// Types a text in the sheet, in place of what is there.
  func type(_ text: String) {
    self.text = text
    request?.contentDidChange(text)
  }

  /// Posts the content with a text.
  func post(_ text: String) {
    self.text = text
    request?.post(text)
  }

  /// Chooses a value of a configuration item of the sheet, or presses an item without choices.
  ///
  /// - Parameters:
  ///   - item: The `id` of the item.
  ///   - value: One of its choices; nil for an item without.
  /// - Throws: ``HarnessFailure`` if there is no such item or choice.
  func choose(_ item: String, _ value: String?) throws(HarnessFailure) {
    let items = request?.compose?.configurationItems ?? []
    guard let found = items.first(where: { $0.id == item }) else {
      throw HarnessFailure("there is no configuration item “\(item)”", thereIs: items.map(\.id))
    }
    let choices = found.choices ?? []
    guard value == nil ? choices.isEmpty : choices.contains(value ?? "") else {
      throw HarnessFailure("“\(value ?? "")” is no choice of “\(item)”", thereIs: choices)
    }
    request?.chooseConfigurationItem(item, value: value)
  }

  /// Forgets the request, of which nothing is shown any more.
  func end() {
    request = nil
  }

  /// Shows what the extension has changed, as a host does; it is told when its view or sheet has appeared, and of the
  /// text that it has set.
  private func update(hasView: Bool) {
    guard let request else { return }
    if request.stage == .ready, hasView, !hasAppeared {
      hasAppeared = true
      request.viewDidAppear()
    }
    guard let sheet = request.compose, sheet.textRevision != revision else { return }
    (text, revision) = (sheet.text, sheet.textRevision)
    request.contentDidChange(text)
  }

  /// The view of the extension's own, or the one that was pushed over its sheet; nil for the sheet.
  var view: ViewNode? { request.flatMap { $0.pushedView?.node ?? $0.view.node } }

  /// The picture of the view; nil for a sheet.
  func picture(_ width: Int, at date: Date) -> LaidOutView? {
    view.map { layOut($0, width, date) }
  }

  /// The text of the view, or of the sheet, row by row.
  func rows(_ width: Int, at date: Date) -> [String] {
    if let picture = picture(width, at: date) { return picture.textRows }
    guard let sheet = request?.compose else { return [] }
    var rows = sheet.preview.map { layOut($0, width, date).textRows } ?? []
    rows += [text.isEmpty ? sheet.placeholder : text]
    if let completions = sheet.completions {
      rows += completions.map { [$0.text, $0.detail].compactMap(\.self).joined(separator: "  ") }
    } else {
      rows += sheet.configurationItems.map { item in
        [item.title, item.value].compactMap(\.self).joined(separator: "  ")
      }
    }
    return rows
  }

  private func layOut(_ view: ViewNode, _ width: Int, _ date: Date) -> LaidOutView {
    let environment = LayoutEnvironment(now: date, dates: dates)
    return ViewLayout.layOut(view, width: width, height: nil, in: environment)
  }
}
