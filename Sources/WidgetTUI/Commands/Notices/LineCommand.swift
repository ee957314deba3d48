import FoundationEssentials
import Notices
import WidgetCards
import WidgetKitCore
import WidgetPages
import WidgetPlatform

/// `today line`: one line for the bars of other programs.
struct LineCommand: Command {
  /// How a line is written.
  enum Format: String, CaseIterable {
    case plain
    case waybar
    case tmux
    case i3bar
  }

  static let name = "line"
  static let syntax = CommandSyntax<LineCommand>(
    name,
    "print one line for another bar",
    details: """
      Prints how many notices wait, or the first row of each named card as it was stored last. Nothing is started, so
      that a bar can run it every second.
      """,
    operands: [.many("ID", .widget, \.identifiers)],
    options: [
      .choice("--format", \.format): """
      plain by default; waybar is JSON for a custom module, tmux escapes what tmux would take for a format, and i3bar \
      is a block of that protocol, as i3blocks has it
      """
    ],
    notes: """
      Exit status: 66 no such card.
      """
  )

  var options = CommonOptions()
  private var identifiers: [String] = []
  private var format = Format.plain

  /// The width of cards whose first rows are printed.
  private static let columns = 78

  func run() async throws(CommandError) -> ExitCode {
    let line = try identifiers.isEmpty ? notices() : cards()
    StandardStreams.write(text: "\(line.text(as: format))\n")
    return .success
  }

  private func notices() throws(CommandError) -> StatusLine {
    let settings = options.readSettings().notices
    let store = NoticeStore(StateFolders(environment: options.environment), settings: settings)
    var list = try NoticesCommand.read(store)
    list.keep(waiting: true)
    let isCritical = list.entries.contains { $0.urgency == .critical }
    let latest = list.entries.suffix(10).reversed().compactMap { entry in
      list.notice(entry).map { notice in
        SafeText(lineOf: "\(notice.content.application): \(notice.content.title)").string
      }
    }
    return StatusLine(
      text: list.entries.isEmpty ? "" : "\(list.entries.count) waiting",
      details: latest,
      state: list.entries.isEmpty ? .idle : isCritical ? .critical : .waiting
    )
  }

  /// The first row of the stored content of each card.
  private func cards() throws(CommandError) -> StatusLine {
    let headless = try HeadlessCenter(options, naming: identifiers)
    let center = headless.center
    center.load()
    // Content is loaded when it has a width; the list of the rows is not drawn.
    center.screen.setWidth(Self.columns)
    let ids = try headless.choose(identifiers)
    let writer = PlainWriter(width: Self.columns, date: Date(), showsHeader: false)
    let rows = center.page.all.filter { ids.contains($0.id) && $0.view != nil }.map { card in
      writer.content(card).map { SafeText(lineOf: $0).string }.filter { !$0.isEmpty }
    }
    return StatusLine(
      text: rows.compactMap(\.first).joined(separator: "  "),
      details: rows.flatMap(\.self),
      state: .idle
    )
  }
}

/// What a bar shows.
struct StatusLine {
  /// How it should look.
  enum State: String {
    case idle
    case waiting
    case critical
  }

  /// The line; empty if there is nothing to show.
  var text: String
  /// More lines, for a place that has room for them.
  var details: [String]
  var state: State

  /// What Waybar reads from a custom module (waybar-custom(5)).
  private struct WaybarModule: Encodable {
    var text: String
    var tooltip: String
    var `class`: String
    var alt: String
  }

  /// A block (i3bar protocol).
  private struct Block: Encodable {
    var text: String
    var shortText: String
    var isUrgent: Bool

    private enum CodingKeys: String, CodingKey {
      case text = "full_text"
      case shortText = "short_text"
      case isUrgent = "urgent"
    }
  }

  /// The line in a format, without its end.
  func text(as format: LineCommand.Format) -> String {
    switch format {
    case .plain: text
    case .tmux: text.replacing("#", with: "##")
    case .waybar:
      json(
        WaybarModule(
          text: Self.markup(text),
          tooltip: Self.markup(details.joined(separator: "\n")),
          class: state.rawValue,
          alt: state.rawValue
        )
      )
    case .i3bar:
      json(Block(text: text, shortText: text, isUrgent: state == .critical))
    }
  }

  /// A text in the markup of Pango, which Waybar reads in both of its texts.
  private static func markup(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }

  private func json(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(value) else { return "{}" }
    return HarmlessJSON.text(String(decoding: data, as: UTF8.self))
  }
}
