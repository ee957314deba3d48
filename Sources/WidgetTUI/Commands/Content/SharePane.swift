import ExtensionContent
import Glibc
import WidgetKitCore
import WidgetPages

/// The pane in which a person chooses an extension and completes what is shared.
///
/// A class because it owns the terminal, or the place on the page.
final class SharePane {
  private let surface: any PaneSurface
  /// What the next key does; nil while nothing is asked, and keys wait.
  private var taker: ((Key) -> Void)?
  private var waiting: [Key] = []
  /// Keys that were typed while something was posted, for what comes after that.
  private var later: [Key] = []
  /// Whether all that is asked is cancelled.
  private var isInterrupted = false

  /// Opens it in the terminal; nil if the process has none that it can be drawn on.
  convenience init?(environment: [String: String], settings: ScreenSettings) {
    guard let terminal = PaneTerminal(environment: environment, settings: settings) else {
      return nil
    }
    self.init(on: terminal)
  }

  /// Takes the keys of a place that is to be drawn on.
  init(on surface: any PaneSurface) {
    self.surface = surface
    surface.onKey = { [weak self] key in
      guard let self else { return }
      if let taker, waiting.isEmpty { taker(key) } else { waiting.append(key) }
    }
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
    get { surface.onInterruption }
    set { surface.onInterruption = newValue }
  }

  /// Gives the terminal back.
  func close() { surface.close() }

  /// What a picture is drawn with now.
  var look: PaneLook { surface.look }

  /// Whether the pane has the whole screen.
  var fillsScreen: Bool {
    get { surface.fillsScreen }
    set { surface.fillsScreen = newValue }
  }

  // MARK: - Keys

  /// Gives keys to what is asked now, first those that were typed before it was.
  private func giveKeys(to taker: ((Key) -> Void)?) {
    (waiting, later) = (later + waiting, [])
    self.taker = taker
    if isInterrupted, let taker { return taker(.control("c")) }
    while let taker = self.taker, !waiting.isEmpty { taker(waiting.removeFirst()) }
  }

  /// Cancels what is asked, and all that is asked after it.
  func interrupt() {
    isInterrupted = true
    giveKeys(to: taker)
  }

  /// Takes the keys that nothing on the pane has taken, at its end.
  func takeLeftKeys() -> [Key] {
    giveKeys(to: nil)
    defer { waiting = [] }
    return waiting.filter { !$0.isMouse }
  }

  // MARK: - What is asked

  /// Lets the person choose a row.
  ///
  /// - Parameters:
  ///   - chooser: The list.
  ///   - later: Finds rows that are added at its end while it is shown.
  /// - Returns: The number of the row; nil if the person has cancelled.
  func choose(
    _ chooser: ExtensionChooser,
    adding later: (() async -> [ExtensionChooser.Item])? = nil
  ) async -> Int? {
    let presented = PresentedChooser(chooser) { [surface] in surface.draw() }
    let addition = later.map { later in Task { presented.add(await later()) } }
    defer {
      presented.end()
      addition?.cancel()
    }
    let drawing = { (look: PaneLook) in presented.chooser.picture(look) }
    return await ask(drawing) { key, action -> Int?? in
      switch presented.take(key, action) {
      case .stays: nil
      case .cancels: .some(nil)
      case .chooses(let row): row
      }
    }
  }

  /// Asks something until there is an answer.
  ///
  /// - Parameters:
  ///   - picture: Makes the picture.
  ///   - take: Takes a key, or what the mouse has pressed; returns the answer, or nil if there is none yet.
  /// - Returns: The answer.
  func ask<Answer: Sendable>(
    _ picture: @escaping (PaneLook) -> PanePicture,
    _ take: @escaping (Key, PaneAction?) -> Answer?
  ) async -> Answer {
    await withCheckedContinuation { continuation in
      surface.onDraw = picture
      show()
      giveKeys { [weak self] key in
        guard let self else { return }
        guard let answer = take(key, surface.action(of: key)) else { return surface.draw() }
        taker = nil
        continuation.resume(returning: answer)
      }
    }
  }

  /// Shows a sheet until it is posted or cancelled.
  ///
  /// - Returns: The sheet as it was posted; nil if the person has cancelled.
  func compose(_ sheet: PaneSheet) async -> PaneSheet? {
    await withCheckedContinuation { continuation in
      _ = present(sheet) { [weak self] event, presented in
        switch event {
        case .posts:
          presented.change { $0.didPost() }
          self?.taker = nil
          continuation.resume(returning: presented.sheet)
        case .cancels:
          self?.taker = nil
          continuation.resume(returning: nil)
        case .textChanged, .chose: break
        }
      }
    }
  }

  /// Shows what a person has typed again, as posting it has failed.
  ///
  /// - Parameters:
  ///   - sheet: The sheet with that.
  ///   - reason: Why it has failed.
  /// - Returns: The sheet to try again with, which may have been changed; nil if the person gives it up.
  func retry(_ sheet: PaneSheet, after reason: SafeText) async -> PaneSheet? {
    var sheet = sheet
    sheet.didFail(reason)
    return await compose(sheet)
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
    let presented = PresentedSheet(sheet) { [surface] in surface.draw() }
    show(presented, onEvent: onEvent)
    return presented
  }

  /// Shows a sheet again in place of what was pushed over it.
  func show(
    _ presented: PresentedSheet,
    onEvent: @escaping (PaneSheet.Event, PresentedSheet) -> Void
  ) {
    surface.onDraw = { presented.picture($0) }
    show()
    giveKeys { [weak self] key in
      guard let self else { return }
      if presented.sheet.isPosting, !key.cancelsPost { later.append(key) }
      for event in presented.take(key, surface.action(of: key)) { onEvent(event, presented) }
      surface.draw()
    }
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
    let presented = PresentedView(view) { [surface] in surface.draw() }
    presented.onEvent = onEvent
    surface.onDraw = { presented.picture($0) }
    show()
    giveKeys { [weak self] key in
      guard let self else { return }
      if presented.view.isPosting, !key.cancelsPost { later.append(key) }
      presented.take(key, surface.action(of: key))
      surface.draw()
    }
    return presented
  }

  /// Says that an action works, until something else is asked; Esc and Ctrl-C cancel it.
  func showWork(_ title: SafeText, cancel: @escaping () -> Void) {
    surface.onDraw = { look in
      var (picture, inside) = PanePicture.box(
        rows: 1,
        title: title.onOneLine,
        remark: "",
        keys: [("esc", "cancel")],
        look
      )
      let style = CellStyle(foreground: .secondary)
      picture.canvas.write("Working", style: style, at: inside.origin, in: inside)
      return picture
    }
    show()
    whilePosting(cancel)
  }

  /// While something is posted, Esc and Ctrl-C cancel it.
  func whilePosting(_ cancel: @escaping () -> Void) {
    giveKeys { [weak self] key in
      if key.cancelsPost { cancel() } else { self?.later.append(key) }
    }
  }

  /// Draws what is on the pane as it is now.
  func draw() { surface.draw() }

  private func show() {
    surface.open()
    surface.draw()
  }
}

extension PaneSurface {
  /// What a key of the mouse has pressed.
  fileprivate func action(of key: Key) -> PaneAction? {
    if case .mouse(let event) = key { action(at: event) } else { nil }
  }
}
