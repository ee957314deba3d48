import FoundationEssentials
import WidgetKitCore

/// The notices of the user: those that wait by application, critical ones first, and with More the earlier ones by
/// day.
@main final class NoticesWidget: Widget {
  /// The notices, as the host has listed them; nil before they were read.
  private var notices: [UserNotice]?
  /// Why they cannot be read.
  private var trouble: String?
  /// The notices of which the whole text is shown.
  private var opened: Set<String> = []
  /// What is looked for among them.
  private var search = ""
  private var isReading = false
  private var readsAgain = false
  /// Whether the content may differ from the last snapshot; true at the start.
  private var isDirty = true

  init() {
    extensionContext.largestAvailableDisplayMode = .expanded
    extensionContext.onNoticesChange { [weak self] in self?.readLater() }
  }

  var body: some View {
    let rows = NoticeRows(
      notices: notices ?? [],
      opened: opened,
      search: search,
      columns: extensionContext.size.columns,
      now: extensionContext.now,
      zone: extensionContext.timeZone
    )
    if let trouble {
      Text(trouble).foregroundStyle(.red)
    } else if notices != nil {
      if extensionContext.activeDisplayMode == .expanded {
        rows.expanded
      } else {
        rows.compact
      }
    }
  }

  // MARK: - Reading

  func viewWillAppear() {
    readLater()
  }

  func configurationDidChange() {
    readLater()
  }

  func widgetPerformUpdate(reason: UpdateReason) async -> UpdateOutcome {
    await read()
    defer { isDirty = false }
    if let trouble { return .failed(trouble) }
    return isDirty ? .newData : .noData
  }

  /// Reads the notices, once more if they change meanwhile.
  private func readLater() {
    guard !isReading else {
      readsAgain = true
      return
    }
    Task {
      await read()
      extensionContext.setNeedsDisplay()
    }
  }

  private func read() async {
    isReading = true
    repeat {
      readsAgain = false
      let applications = extensionContext.configuration.list("applications") ?? []
      do {
        take(try await extensionContext.notices(applications: applications))
        trouble = nil
      } catch {
        trouble = (error as? WireError)?.message ?? "\(error)"
      }
    } while readsAgain
    isReading = false
  }

  private func take(_ found: [UserNotice]) {
    guard found != notices else { return }
    notices = found
    isDirty = true
    opened.formIntersection(found.map(\.id))
  }

  // MARK: - What the user does

  func perform(action: String, value: Bool?) async {
    guard let pressed = NoticePress(action) else { return }
    guard let notice = notices?.first(where: { $0.id == pressed.id }) else { return }
    guard let name = pressed.action(of: notice) else {
      // There is nothing else to do about it than to read it.
      opened.formSymmetricDifference([notice.id])
      return
    }
    do {
      try await extensionContext.performNoticeAction(name, ofNotice: notice.id)
    } catch {
      extensionContext.log("\(name) of notice \(notice.id): \(error)", level: "error")
    }
  }

  func listDidRemoveRow(_ row: String, in list: String) async throws {
    try await extensionContext.dismissNotice(row)
    if let index = notices?.firstIndex(where: { $0.id == row }) {
      notices?[index].state = .earlier
    }
  }

  func fieldDidChange(_ field: String, text: String) {
    search = text
  }
}
