import WidgetKitCore

/// The requests of a card's widget that concern more than its own card: each is checked, passed to the
/// page, and answered.
struct CardRequests {
  private let id: CardID
  private let widget: CardWidget
  private unowned let page: any CardPage

  init(id: CardID, widget: CardWidget, page: any CardPage) {
    self.id = id
    self.widget = widget
    self.page = page
  }

  /// Answers a request to open a URL, which is allowed only shortly after a press by the user, unless the
  /// user trusts the app.
  ///
  /// - Parameters:
  ///   - url: The URL.
  ///   - call: The identifier of the request; nil for a notification, which has no answer.
  ///   - name: The widget's name, for the line below the page.
  ///   - sincePress: The time since the last press, or nil if there was none.
  func open(_ url: String, _ call: MessageID?, for name: SafeText, sincePress: Duration?) {
    if let refusal = OpenURLPolicy.refusal(sincePress: sincePress),
      !page.services.isTrusted(sender(name))
    {
      widget.log(SafeText("openURL refused: \(refusal)"))
      widget.session?.answer(open: call, success: false)
      return
    }
    open(url, for: name) { [weak widget] in
      widget?.session?.answer(open: call, success: $0 == nil)
    }
  }

  private func sender(_ name: SafeText) -> URLSender {
    URLSender(id: id, name: name, app: widget.session?.bundle.containingApp)
  }

  /// Opens a URL for the widget; if it is refused, the log and the line below the page say why.
  func open(_ url: String, for name: SafeText, completion: @escaping (URLRefusal?) -> Void) {
    page.services.open(url, for: sender(name)) { [weak widget, weak page] refusal in
      if let refusal {
        widget?.log(SafeText("openURL refused: \(refusal)"))
        if refusal != .notNow { page?.say(SafeText("\(name): not opened: \(refusal)")) }
      }
      completion(refusal)
    }
  }

  /// Answers a request that the session passes on.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - call: Takes the answer.
  ///   - sincePress: The time since the last press; nil if there was none, or the page is locked.
  func perform(_ request: PageRequest, _ call: ServiceCall, sincePress: Duration?) {
    switch request {
    case .setHasContent(let request): setHasContent(request, call)
    case .transfer(let request): page.services.transfer(.request(request, call), of: id)
    case .signal(let request): send(request, call, sincePress: sincePress)
    case .alert(let request): page.services.alert(request, call, of: id)
    case .update:
      guard widget.session?.bundle.script != nil else {
        return call.answer(refusal: .methodNotFound(RequestUpdateRequest.method))
      }
      call.answer(with: RequestUpdateRequest.Reply())
      widget.handle(.update(.event))
    case .search:
      guard widget.session?.bundle.script != nil else {
        return call.answer(refusal: .methodNotFound(SearchScriptsRequest.method))
      }
      page.services.searchScripts { call.answer(with: SearchScriptsRequest.Reply()) }
    case .command(let request):
      page.services.run(request, call, of: id, sincePress: sincePress)
    }
  }

  /// Sends a signal to a process, which is allowed only shortly after a press by the user.
  private func send(_ request: SendSignalRequest, _ call: ServiceCall, sincePress: Duration?) {
    let signal = SentSignal(request: request)
    let isPermitted = page.services.isGranted(.processSignal, to: id)
    let refusal =
      signal.refusal(isPermitted: isPermitted, sincePress: sincePress) ?? signal.send()
    if let refusal { return call.answer(refusal: refusal) }
    widget.log("sent signal \(request.signal) to process \(request.process)")
    call.answer(with: SendSignalRequest.Reply())
  }

  /// Shows or hides a card.
  private func setHasContent(_ request: SetHasContentRequest, _ call: ServiceCall) {
    if let refusal = page.services.refusal(of: request, from: id) {
      return call.answer(refusal: refusal)
    }
    // The widget that hides itself is ended, and has the answer before.
    call.answer(with: SetHasContentRequest.Reply())
    page.services.setHasContent(request, from: id)
  }
}
