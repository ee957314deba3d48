/// What a request has that an update of a widget has not.
struct RequestContent {
  let items: [RequestItem]
  let isEditor: Bool
  /// The newest text of the compose sheet.
  var text = ""

  /// Reads it from the first message; nil for a widget.
  init?(_ message: InitializeRequest, _ host: HostConnection) {
    guard message.reason == .request, message.extensionPoint != nil else { return nil }
    items = (message.extensionContext?.inputItems ?? []).map { RequestItem($0, host) }
    isEditor = message.role == "editor"
  }
}
