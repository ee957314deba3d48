import ExtensionContent
import WidgetKitCore
import WidgetRequests

/// What a person sees of a request to a bundle: its sheet, its own view, or a view that it has pushed over the sheet.
///
/// A class because the extension and the keys change what is shown.
final class RequestPane {
  private let request: ExtensionRequest
  private let pane: SharePane
  private let preview: ContentPreview
  /// The text that the person has given with the command; nil for that of the extension.
  private let text: String?
  private var hasAppeared = false
  private var hasTyped = false
  private var sheet: PresentedSheet?
  private var view: PresentedView?
  private var shown: Shown?

  /// What is on the pane.
  private enum Shown {
    case sheet
    case view
    case pushedView
  }

  init(_ request: ExtensionRequest, on pane: SharePane, _ preview: ContentPreview, text: String?) {
    (self.request, self.pane) = (request, pane)
    (self.preview, self.text) = (preview, text)
  }

  /// Opens the pane, which follows the request until it is over.
  func open() {
    pane.fillsScreen = fillsScreen
    if request.target.shares { showSheet() } else { showView(request.view, isPushed: false) }
    request.onChange = { [weak self] in self?.update() }
  }

  /// Does nothing any more.
  func end() {
    request.onChange = {}
    view?.end()
  }

  /// The sheet with what a person has typed in it; nil if nobody has.
  var typedSheet: PaneSheet? {
    guard hasTyped, var typed = sheet?.sheet else { return nil }
    // Its rows are those of the process.
    typed.replaceItems([])
    return typed
  }

  private var fillsScreen: Bool { request.target.wantsFullScreen && !request.target.shares }

  /// The largest size of the view of an extension on a pane.
  static func size(of target: ContentExtension, on pane: SharePane) -> Size {
    var look = pane.look
    look.fillsScreen = target.wantsFullScreen && !target.shares
    return PaneView.size(look)
  }

  private var title: SafeText { request.target.bundle.displayName.onOneLine }

  private func update() {
    guard request.stage == .ready || request.stage == .posting else { return }
    if !hasAppeared {
      hasAppeared = true
      request.present(text: text)
    }
    if let pushed = request.pushedView {
      showView(pushed, isPushed: true)
    } else if request.compose != nil || request.target.shares && request.view.node == nil {
      showSheet()
    } else {
      showView(request.view, isPushed: false)
    }
  }

  // MARK: - The sheet

  private func showSheet() {
    let presented = sheet ?? PresentedSheet(firstSheet) { [pane] in pane.draw() }
    sheet = presented
    if shown != .sheet {
      view?.end()
      (view, shown) = (nil, .sheet)
      pane.show(presented) { [weak self] in self?.take($0, $1) }
    }
    guard request.stage == .ready || request.stage == .posting else { return }
    presented.show(request.compose)
    let note = note
    presented.change { $0.note = $0.isPosting ? note ?? $0.note : nil }
  }

  private var firstSheet: PaneSheet {
    var sheet = PaneSheet(title: title, preview: preview, text: ComposeText(text ?? ""))
    (sheet.isValid, sheet.note) = (false, "Starting")
    return sheet
  }

  private func take(_ event: PaneSheet.Event, _ presented: PresentedSheet) {
    let text = presented.sheet.text?.text ?? ""
    switch event {
    case .textChanged:
      hasTyped = true
      request.contentDidChange(text)
    case .chose(let id, let value): request.chooseConfigurationItem(id, value: value)
    case .posts:
      presented.change { $0.didPost() }
      request.post(text)
    case .cancels: request.cancel()
    }
  }

  // MARK: - Views

  private func showView(_ content: RequestView, isPushed: Bool) {
    let kind = isPushed ? Shown.pushedView : .view
    if shown != kind {
      view?.end()
      shown = kind
      let new = PaneView(title: title, remark: preview.summary, isPushed: isPushed, pane.look)
      view = pane.present(new) { [weak self] in self?.take($0) }
    }
    let (word, note, failure) = (isPushed ? nil : postWord, note, request.pressFailure)
    let implements = request.implements
    view?.change { view in
      view.input.implements = implements
      view.postWord = word
      view.note = failure ?? note
      if failure != nil, !view.hasFailed { view.pressDidFail() }
      view.hasFailed = failure != nil
      view.show(content)
    }
  }

  /// The word of the button that goes on: an action without it has one of its own.
  private var postWord: SafeText? {
    guard request.stage == .ready || request.stage == .posting else { return nil }
    if request.target.shares { return "Post" }
    return request.acceptsPost || request.target.role == .viewer ? "Done" : nil
  }

  private func take(_ event: PaneView.Event) {
    switch event {
    case .presses(let press): request.perform(press)
    case .typed(let message): request.fieldDidChange(message)
    case .posts:
      view?.change { $0.didPost() }
      request.post("")
    case .goesBack: request.popConfiguration()
    case .cancels: request.cancel()
    }
  }

  // MARK: - Words

  /// What the extension is doing; nil if there is nothing to say.
  private var note: SafeText? {
    switch request.stage {
    case .waiting, .starting: return "Starting"
    case .ready, .posting, .completing, .ended: break
    }
    let isPosting = request.stage == .posting
    guard let progress = request.progress, let total = progress.total, total > 0 else {
      return isPosting ? (request.target.shares ? "Posting" : "Working") : nil
    }
    let share = Int(min(max(progress.completed / total, 0), 1) * 100)
    return SafeText("\(isPosting && request.target.shares ? "Posting, " : "")\(share) %")
  }
}

extension ExtensionRequest {
  /// Says that what it shows is on the screen, with the text that the person has given.
  func present(text: String?) {
    viewDidAppear()
    presentationAnimationDidFinish()
    if let text { contentDidChange(text) }
  }
}
