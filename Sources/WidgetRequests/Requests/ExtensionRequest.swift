package import ExtensionContent
import WidgetExtensions
package import WidgetKitCore
import WidgetPages
import WidgetPlatform
import WidgetSessions

/// A request to a share or action extension: one process, from its start to the end of what it does afterwards.
///
/// The request itself ends with ``onEnd``, and the user goes on; the process may run for a while, until ``onFinish``.
/// What a person sees is in ``compose``, ``view`` and ``pushedView``, and has changed when ``onChange`` is called.
///
/// ``ExtensionSession`` has the process, its messages and deadlines, ``RequestLoads`` the representations that it loads,
/// ``TextValidation`` the questions whether the text can be posted, and ``RequestTimes`` the time that it has.
package final class ExtensionRequest {
  /// The extension.
  package let target: ContentExtension
  /// The content.
  package let content: RequestContent
  package private(set) var stage = Stage.waiting
  /// The standard sheet; nil if the extension has set none.
  package private(set) var compose: ComposeContent?
  /// The view of the extension's own.
  package private(set) var view = RequestView()
  /// A view over the sheet, of a configuration item; nil without one.
  package private(set) var pushedView: RequestView?
  /// How far the extension is; nil if it has not said so.
  package private(set) var progress: ReportProgressNotification?
  /// Why the last press has failed, for a moment; nil if it has not.
  package var pressFailure: SafeText? { presses.failure }

  /// Called when something that is shown has changed.
  package var onChange: () -> Void = {}
  /// Called once, when the request is over.
  package var onEnd: (Outcome) -> Void = { _ in }
  /// Called once, when nothing of the process is left.
  package var onFinish: () -> Void = {}

  let session: ExtensionSession<RequestState>
  private let terms: RequestTerms
  private let loads: RequestLoads
  private var validation = TextValidation()
  private let times: RequestTimes
  /// Whether the person has posted the content.
  private var isPosted = false
  private var presses = RequestPresses()

  init(
    _ target: ContentExtension,
    _ content: RequestContent,
    _ session: ExtensionSession<RequestState>,
    _ terms: RequestTerms
  ) {
    (self.target, self.content, self.session, self.terms) = (target, content, session, terms)
    loads = RequestLoads(content, terms, session)
    times = RequestTimes(terms.clock, session)
    session.onReport = { [weak self] in self?.take($0) }
    session.onRequest = { [weak self] in self?.decide($0, $1) }
  }

  // MARK: - A person

  /// The optional methods that the extension has listed.
  package var implements: Set<String> { session.state.implements }

  /// Whether the extension does something when the person goes on with a button of the host.
  package var acceptsPost: Bool { implements.contains(DidSelectPostRequest.method) }

  /// Starts the process.
  package func start() {
    guard stage == .waiting else { return }
    stage = .starting
    session.handle(.begin)
  }

  /// The view is on the screen.
  package func viewDidAppear() {
    guard stage == .ready else { return }
    session.handle(.tell(.viewDidAppear))
    validate(compose?.text ?? "")
  }

  /// The animation with which the view came has ended.
  package func presentationAnimationDidFinish() {
    session.handle(.tell(.content(.presentationAnimationDidFinish)))
  }

  /// The person has changed the text of the sheet.
  package func contentDidChange(_ text: String) {
    guard stage == .ready else { return }
    validate(text)
  }

  /// The person has chosen a value of a configuration item, or has pressed one without choices.
  package func chooseConfigurationItem(_ id: String, value: String? = nil) {
    guard stage == .ready else { return }
    let request = ConfigurationItemChosenRequest(id: id, value: value)
    session.handle(.ask(.content(.configurationItemChosen(request))))
  }

  /// The person has gone back from a pushed view.
  package func popConfiguration() {
    pushedView = nil
    onChange()
  }

  /// The person has pressed an element of a view.
  package func perform(_ press: PerformActionRequest) {
    guard stage == .ready, presses.begin() else { return }
    session.handle(.ask(.performAction(press)))
  }

  /// The person is typing in a field of a view.
  package func fieldDidChange(_ message: FieldDidChangeNotification) {
    session.handle(.typed(message))
  }

  /// The person posts the content, which is done only while it is valid.
  ///
  /// - Parameter text: The text of the sheet.
  package func post(_ text: String) {
    guard stage == .ready, compose?.isContentValid != false else { return }
    (stage, isPosted) = (.posting, true)
    restartSilence()
    guard acceptsPost else { return end(.completed([])) }
    session.handle(.ask(.content(.didSelectPost(DidSelectPostRequest(text: text)))))
    onChange()
  }

  /// The person, or a signal, cancels the request: it is over at once.
  package func cancel() {
    guard stage != .ended else { return }
    if session.state.implements.contains(DidSelectCancelRequest.method), stage == .ready {
      session.handle(.ask(.content(.didSelectCancel)))
    }
    end(.cancelled)
  }

  /// Ends the process, which has no more time for what is left.
  package func quit() {
    if stage != .ended { end(.cancelled) }
    session.quit()
  }

  // MARK: - The extension

  private func take(_ report: CardReport) {
    switch report {
    case .answered(let reply): take(reply)
    case .content(let request, let id): take(request, id)
    case .apply(let content, let source): show(content, source)
    // It is for the content that a person is looking at, and not for pages.
    case .open(_, let id): session.answer(open: id, success: false)
    case .requestFailed(let reason):
      if stage != .completing { end(.failed(SafeText(reason))) }
    case .transferEventsHandled, .suspended, .leaving: break
    case .finished: finish()
    case .becameLive, .disappeared, .health, .marginInsets, .largestDisplayMode, .alongside,
      .updateEnded, .pressDropped, .pressEnded, .pressRefused, .listEnded, .edited:
      break
    }
  }

  private func take(_ reply: HostReply) {
    switch reply {
    case .initialize(let reply): initialized(reply)
    case .viewWillAppear(let content):
      show(content, .appearance)
      becomeReady()
    case .performAction(_, let reply):
      show(reply.content, .action)
      presses.ended(reply.result == .failed ? SafeText(reply.error ?? "it failed") : nil)
      onChange()
    case .content(.contentDidChange(let reply)):
      validated(reply.isContentValid, reply.charactersRemaining)
    case .content(.configurationItemChosen(let reply)):
      pushedView = reply.view.map { RequestView($0) }
      validate(validation.text)
      onChange()
    case .content(.didSelectPost): break
    case .content(.didSelectCancel): finishWork()
    case .refused(let call, let error): refused(call, error)
    case .widgetMarginInsets, .viewWillDisappear, .widgetPerformUpdate, .viewWillTransitionToSize,
      .list, .handleEvents:
      break
    }
  }

  private func refused(_ call: HostCall, _ error: WireError) {
    switch call {
    case .viewWillAppear: becomeReady()
    case .performAction:
      presses.ended(SafeText(error.message))
      onChange()
    case .content(.contentDidChange): validated(error.code == .methodNotFound, nil)
    case .content(.didSelectPost): end(.failed(SafeText(error.message)))
    case .content(.didSelectCancel): finishWork()
    case .content(.configurationItemChosen), .initialize, .widgetMarginInsets, .viewWillDisappear,
      .widgetPerformUpdate, .viewWillTransitionToSize, .list, .handleEvents:
      break
    }
  }

  private func initialized(_ reply: InitializeRequest.Reply) {
    show(reply.content, .appearance)
    guard target.hasView else { return becomeReady() }
    times.waitForView { [weak self] in self?.becomeReady() }
    let size = ViewWillAppearRequest(size: terms.size, animated: true)
    session.handle(.ask(.viewWillAppear(size)))
  }

  private func becomeReady() {
    times.stopWaitingForView()
    guard stage == .starting else { return }
    stage = .ready
    restartSilence()
    onChange()
  }

  private func take(_ request: ContentRequest, _ id: MessageID?) {
    if case .loadItem(let request) = request { return loads.load(request, id) }
    if case .loadPreview(let request) = request { return loads.preview(request, id) }
    guard stage != .ended, stage != .completing else {
      if let id {
        answer(.init(refusal: .invalidRequest("the request was completed before")), id)
      }
      return
    }
    switch request {
    case .complete(let request): complete(request, id)
    case .cancel(let message):
      end(.failed(SafeText(message.words)))
    case .cancelLoad(let message): loads.cancel(message.attachment)
    case .setCompose(let message):
      var compose = compose ?? ComposeContent()
      compose.apply(message)
      if self.compose == nil, !asksForValidity { compose.isContentValid = true }
      self.compose = compose
      onChange()
    case .validateContent(let message):
      validation.forgetAnswer()
      setValid(message.isContentValid, message.charactersRemaining)
    case .popConfiguration: popConfiguration()
    case .reportProgress(let message):
      progress = message
      restartSilence()
      onChange()
    case .loadItem, .loadPreview: break
    }
  }

  private func show(_ content: ContentUpdate, _ source: ContentSource) {
    guard !content.isEmpty, stage != .ended else { return }
    // A pushed view is another state of the sheet, and follows as it does.
    if pushedView != nil {
      pushedView?.apply(content, source)
    } else {
      view.apply(content, source)
    }
    onChange()
  }

  // MARK: - The text

  private var asksForValidity: Bool { implements.contains(ContentDidChangeRequest.method) }

  private func validate(_ text: String) {
    guard asksForValidity else {
      validation.text = text
      return
    }
    if let text = validation.change(to: text) { ask(text) }
  }

  private func ask(_ text: String) {
    session.handle(.ask(.content(.contentDidChange(ContentDidChangeRequest(text: text)))))
  }

  private func validated(_ isValid: Bool, _ remaining: Int?) {
    let (counts, next) = validation.answered()
    if counts { setValid(isValid, remaining) }
    if let next { ask(next) }
  }

  private func setValid(_ isValid: Bool, _ remaining: Int?) {
    compose?.isContentValid = isValid
    compose?.charactersRemaining = remaining
    onChange()
  }

  // MARK: - Its end

  private func complete(_ request: CompleteRequestRequest, _ id: MessageID?) {
    let hasAttachments = request.returningItems.contains { !$0.attachments.isEmpty }
    if !target.shares, target.role == .viewer, hasAttachments {
      let words = "a viewer returns no items"
      if let id { answer(.init(refusal: .notPermitted(words)), id) }
      return end(.failed(SafeText(words)))
    }
    stage = .completing
    times.endSilence()
    terms.take(request.returningItems) { [weak self] in self?.completed($0, id) }
  }

  private func completed(
    _ taken: Result<[[ReturnedAttachment]], HostError>,
    _ id: MessageID?
  ) {
    guard stage == .completing else { return }
    switch taken {
    case .success(let items):
      if let id { answer(.init(NoMembers()), id) }
      end(.completed(items))
    case .failure(let error):
      if let id {
        answer(.init(refusal: WireError(code: .invalidParams, message: error.description)), id)
      }
      end(.failed(SafeText(error.description)))
    }
  }

  private func end(_ outcome: Outcome) {
    guard stage != .ended else { return }
    let wasPosting = stage == .posting || stage == .completing
    stage = .ended
    times.endSilence()
    times.stopWaitingForView()
    loads.cancelAll()
    switch outcome {
    case .completed: times.workOnAfterCompletion()
    case .cancelled where !wasPosting && session.state.process != nil:
      times.cleanUpAfterCancellation()
    case .cancelled, .failed: session.quit()
    }
    onEnd(outcome)
    if session.state.process == nil { finish() }
  }

  private func finishWork() {
    if stage == .ended { times.endRemainder() }
  }

  private func finish() {
    guard !isFinished else { return }
    if stage == .completing { return }
    if stage != .ended { end(.failed("it has ended without completing the request")) }
    guard !isFinished else { return }
    isFinished = true
    times.stop()
    if !hasLeft { terms.folder.remove() }
    onFinish()
  }

  /// Whether nothing of the process is left.
  private(set) var isFinished = false

  /// Whether the process may work on after this program.
  var canContinue: Bool { session.state.activitiesToContinue != nil && session.canLeave }

  /// Passes the process on; nil if it must be ended.
  func leave() -> LeavingSession? { session.leave() }

  /// The process was passed on.
  func didLeave() {
    hasLeft = true
    session.handle(.left)
  }

  /// Whether the process works on after this program, with its folder.
  private var hasLeft = false

  /// An extension that nobody looks at has to say something in time.
  private func restartSilence() {
    times.endSilence()
    guard !target.hasView || stage == .posting, stage != .ended else { return }
    times.limitSilence { [weak self] in self?.end(.failed($0)) }
  }

  private func answer(_ answer: ServiceAnswer, _ id: MessageID) {
    session.connection?.answer(answer, to: id)
  }

  /// Decides about what the page decides for widgets.
  private func decide(_ request: PageRequest, _ call: ServiceCall) {
    guard case .transfer(let transfer) = request else {
      return call.answer(refusal: .notPermitted("it is not for the extension of a request"))
    }
    if case .upload = transfer, target.shares, !isPosted {
      return call.answer(refusal: .notPermitted("nothing is sent before the person has posted it"))
    }
    terms.transfers.perform(transfer, of: session.bundle, session.id, call)
  }
}

extension WireError {
  fileprivate nonisolated static func notPermitted(_ words: String) -> WireError {
    WireError(code: .notPermitted, message: words)
  }
}
