import ExtensionContent
import Glibc
import WidgetKitCore
import WidgetPages

/// The pane below the prompt in which a person chooses an extension and completes what is shared.
///
/// A class because it owns the terminal.
final class SharePane {
  private let terminal: PaneTerminal

  /// Opens it; nil if the process has no terminal that it can be drawn on.
  init?(environment: [String: String], settings: ScreenSettings) {
    guard let terminal = PaneTerminal(environment: environment, settings: settings) else {
      return nil
    }
    self.terminal = terminal
  }

  /// Why there is no pane, as the beginning of a message.
  static func obstacle(_ environment: [String: String]) -> String {
    let kind = TerminalKind(environment: environment)
    return kind.name.isEmpty || kind.canDraw
      ? "there is no terminal"
      : "there is no terminal that can position text (TERM is “\(kind.name)”)"
  }

  /// Called before a signal ends the program.
  var onInterruption: () -> Void {
    get { terminal.onInterruption }
    set { terminal.onInterruption = newValue }
  }

  /// Gives the terminal back.
  func close() { terminal.close() }

  /// What a picture is drawn with now.
  var look: PaneLook { terminal.look }

  /// Whether the pane has the whole screen.
  var fillsScreen: Bool {
    get { terminal.fillsScreen }
    set { terminal.fillsScreen = newValue }
  }

  /// Lets the person choose a row.
  ///
  /// - Returns: The number of the row; nil if the person has cancelled.
  func choose(_ chooser: ExtensionChooser) async -> Int? {
    var chooser = chooser
    return await withCheckedContinuation { continuation in
      terminal.onDraw = { chooser.picture($0) }
      terminal.onKey = { [terminal] key in
        switch chooser.take(key, terminal.action(of: key)) {
        case .stays: terminal.draw()
        case .cancels:
          terminal.onKey = { _ in }
          continuation.resume(returning: nil)
        case .chooses(let row):
          terminal.onKey = { _ in }
          continuation.resume(returning: row)
        }
      }
      show()
    }
  }

  /// Shows a sheet until it is posted or cancelled.
  ///
  /// - Returns: The sheet as it was posted; nil if the person has cancelled.
  func compose(_ sheet: PaneSheet) async -> PaneSheet? {
    await withCheckedContinuation { continuation in
      _ = present(sheet) { [terminal] event, presented in
        switch event {
        case .posts:
          presented.change { $0.didPost() }
          terminal.onKey = { _ in }
          continuation.resume(returning: presented.sheet)
        case .cancels:
          terminal.onKey = { _ in }
          continuation.resume(returning: nil)
        case .textChanged, .chose: break
        }
      }
    }
  }

  /// Shows a sheet that an extension changes, until another one or the end.
  ///
  /// - Parameters:
  ///   - sheet: The sheet as it begins.
  ///   - onEvent: Called with what a person does, and with the sheet on the pane.
  /// - Returns: The sheet on the pane.
  func present(
    _ sheet: PaneSheet,
    onEvent: @escaping (PaneSheet.Event, PresentedSheet) -> Void
  ) -> PresentedSheet {
    let presented = PresentedSheet(sheet) { [terminal] in terminal.draw() }
    show(presented, onEvent: onEvent)
    return presented
  }

  /// Shows a sheet again in place of what was pushed over it.
  func show(
    _ presented: PresentedSheet,
    onEvent: @escaping (PaneSheet.Event, PresentedSheet) -> Void
  ) {
    terminal.onDraw = { presented.sheet.picture($0) }
    terminal.onKey = { [terminal] key in
      for event in presented.take(key, terminal.action(of: key)) {
        onEvent(event, presented)
      }
      terminal.draw()
    }
    show()
  }

  /// Shows a view that an extension changes, until something else or the end.
  ///
  /// - Parameters:
  ///   - view: The view as it begins.
  ///   - onEvent: Called with what a person does.
  /// - Returns: The view on the pane.
  func present(
    _ view: PaneView,
    onEvent: @escaping (PaneView.Event) -> Void
  ) -> PresentedView {
    let presented = PresentedView(view) { [terminal] in terminal.draw() }
    presented.onEvent = onEvent
    terminal.onDraw = { presented.picture($0) }
    terminal.onKey = { [terminal] key in
      presented.take(key, terminal.action(of: key))
      terminal.draw()
    }
    show()
    return presented
  }

  /// While something is posted, Esc and Ctrl-C cancel it.
  func whilePosting(_ cancel: @escaping () -> Void) {
    terminal.onKey = { key in
      if key == .escape || key == .control("c") || key == .enter { cancel() }
    }
  }

  /// Draws what is on the pane as it is now.
  func draw() { terminal.draw() }

  private func show() {
    terminal.open()
    terminal.draw()
  }
}

extension PaneTerminal {
  /// What a key of the mouse has pressed.
  fileprivate func action(of key: Key) -> PaneAction? {
    if case .mouse(let event) = key { action(at: event) } else { nil }
  }
}
