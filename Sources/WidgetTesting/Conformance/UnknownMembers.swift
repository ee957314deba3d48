import WidgetKitCore

/// Members of the messages of an extension that no host reads, for the most part because they are misspelt.
///
/// What a host reads of a message is what it writes of it again. Views are not looked into: an older host must show
/// those of later versions.
enum UnknownMembers {
  /// A member that is not read.
  struct Member: Hashable {
    /// What has it: `setCompose`, `the answer to widgetPerformUpdate`.
    var message: String
    /// Where it is: `result.refresh_after`.
    var path: String
    /// The member that was probably meant; nil if none has a name like this one.
    var nearest: String?

    /// A line for the author: `setCompose: params.placeHolder is not read; did you mean placeholder?`.
    var sentence: String {
      "\(message): \(path) is not read" + (nearest.map { "; did you mean \($0)?" } ?? "")
    }
  }

  /// The members of a message of the extension that are not read.
  static func members(of message: HarnessMessage) -> [Member] {
    guard message.isFromWidget, let method = message.method,
      let line = try? IncomingLine(message.bytes[...])
    else { return [] }
    let content = message.isAnswer ? "result" : "params"
    let readers = message.isAnswer ? replies : calls
    if case .error = message.kind { return [] }
    guard let (bytes, names) = readers[method]?(line),
      let sent = (try? JSONTree(message.bytes))?[content],
      let known = (try? JSONTree(bytes))?[content]
    else { return [] }
    return unknown(in: sent, known, content).map { path, name in
      Member(
        message: message.isAnswer ? "the answer to \(method)" : method,
        path: "\(path).\(SafeText(name).onOneLine)",
        nearest: NearName.nearest(to: name, among: names)
      )
    }
  }

  /// The members that have views.
  private static let views: Set<String> = ["view", "preview", "alongside"]

  private static func unknown(
    in sent: JSONTree,
    _ known: JSONTree,
    _ path: String
  ) -> [(path: String, name: String)] {
    switch (sent, known) {
    case (.object(let members), .object):
      return members.flatMap { member -> [(path: String, name: String)] in
        if member.value == .null || views.contains(member.name) { return [] }
        guard let value = known[member.name] else { return [(path, member.name)] }
        return unknown(in: member.value, value, "\(path).\(member.name)")
      }
    case (.array(let elements), .array(let others)) where elements.count == others.count:
      return zip(elements, others).enumerated().flatMap { index, pair in
        unknown(in: pair.0, pair.1, "\(path)[\(index)]")
      }
    default: return []
    }
  }

  /// The message as it is written again, and the names of its members; nil if it cannot be read.
  private typealias Reader = (IncomingLine) -> (bytes: [UInt8], names: [String])?

  private static let calls: [String: Reader] = [
    SetViewNotification.method: notification(SetViewNotification.self),
    SetLargestAvailableDisplayModeNotification.method: notification(
      SetLargestAvailableDisplayModeNotification.self
    ),
    ObserveNotificationNotification.method: notification(ObserveNotificationNotification.self),
    PostNotificationNotification.method: notification(PostNotificationNotification.self),
    EndExpiringActivityNotification.method: notification(EndExpiringActivityNotification.self),
    BeginExpiringActivityRequest.method: request(BeginExpiringActivityRequest.self),
    DownloadInBackgroundRequest.method: request(DownloadInBackgroundRequest.self),
    UploadInBackgroundRequest.method: request(UploadInBackgroundRequest.self),
    PostNoticeRequest.method: request(PostNoticeRequest.self),
    SetComposeNotification.method: notification(SetComposeNotification.self),
    ValidateContentNotification.method: notification(ValidateContentNotification.self),
    CancelLoadNotification.method: notification(CancelLoadNotification.self),
    CancelRequestNotification.method: notification(CancelRequestNotification.self),
    ReportProgressNotification.method: notification(ReportProgressNotification.self),
    SetPreferredContentSizeNotification.method: notification(
      SetPreferredContentSizeNotification.self
    ),
    LoadItemRequest.method: request(LoadItemRequest.self),
    LoadPreviewRequest.method: request(LoadPreviewRequest.self),
    CompleteRequestRequest.method: request(CompleteRequestRequest.self),
    OpenURLRequest.method: request(OpenURLRequest.self),
    SetHasContentRequest.method: request(SetHasContentRequest.self),
    AlertRequest.method: request(AlertRequest.self),
    SetConfigurationRequest.method: request(SetConfigurationRequest.self),
    ReadNoticesRequest.method: request(ReadNoticesRequest.self),
    DismissNoticeRequest.method: request(DismissNoticeRequest.self),
    PerformNoticeActionRequest.method: request(PerformNoticeActionRequest.self),
  ]

  private static func notification<Params: NotificationMessage>(_ type: Params.Type) -> Reader {
    { line in
      guard let message = try? line.decode(type) else { return nil }
      return (OutgoingLine.notification(message), names(of: message))
    }
  }

  private static func request<Params: RequestMessage>(_ type: Params.Type) -> Reader {
    { line in
      guard let message = try? line.decode(type) else { return nil }
      return (OutgoingLine.request(message, id: 1), names(of: message))
    }
  }

  /// The readers of answers to the requests of the host.
  private static let replies: [String: Reader] = [
    InitializeRequest.method: reply(InitializeRequest.self),
    WidgetMarginInsetsRequest.method: reply(WidgetMarginInsetsRequest.self),
    ViewWillAppearRequest.method: reply(ViewWillAppearRequest.self),
    ViewWillDisappearRequest.method: reply(ViewWillDisappearRequest.self),
    ViewWillTransitionToSizeRequest.method: reply(ViewWillTransitionToSizeRequest.self),
    WidgetPerformUpdateRequest.method: reply(WidgetPerformUpdateRequest.self),
    PerformActionRequest.method: reply(PerformActionRequest.self),
    ListShouldRemoveRowRequest.method: reply(ListShouldRemoveRowRequest.self),
    ListDidRemoveRowRequest.method: reply(ListDidRemoveRowRequest.self),
    ListDidMoveRowRequest.method: reply(ListDidMoveRowRequest.self),
    WidgetListPerformAddActionRequest.method: reply(WidgetListPerformAddActionRequest.self),
    HandleEventsForBackgroundURLSessionRequest.method: reply(
      HandleEventsForBackgroundURLSessionRequest.self
    ),
    ContentDidChangeRequest.method: reply(ContentDidChangeRequest.self),
    ConfigurationItemChosenRequest.method: reply(ConfigurationItemChosenRequest.self),
    DidSelectPostRequest.method: reply(DidSelectPostRequest.self),
    DidSelectCancelRequest.method: reply(DidSelectCancelRequest.self),
  ]

  private static func reply<Request: RequestMessage>(_ type: Request.Type) -> Reader {
    { line in
      guard let reply = try? line.decode(Request.Reply.self) else { return nil }
      return (OutgoingLine.result(reply, id: .number(1)), names(of: reply))
    }
  }

  /// The names of the members of a message, also of those inside others; a view has others.
  private static func names(of message: Any, depth: Int = 0) -> [String] {
    guard depth < 6, !(message is ViewNode) else { return [] }
    return Mirror(reflecting: message).children.flatMap { child in
      [child.label].compactMap(\.self).filter { !["some", "content"].contains($0) }
        + names(of: child.value, depth: depth + 1)
    }
  }
}
