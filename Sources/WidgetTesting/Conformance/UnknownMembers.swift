import WidgetKitCore

/// Members of the messages of an extension that no host reads, for the most part because they are misspelt.
///
/// What a host reads of a message is what it writes of it again. Views are not looked into: an older host must show
/// those of later versions.
enum UnknownMembers {
  /// The members of a message that are not read.
  ///
  /// - Parameter message: A request or a notification of the extension.
  /// - Returns: A sentence for each: `setCompose: params.placeHolder is not read; did you mean placeholder?`
  static func sentences(on message: HarnessMessage) -> [String] {
    guard message.isFromWidget, !message.isAnswer, let method = message.method,
      let read = readers[method], let line = try? IncomingLine(message.bytes[...]),
      let (bytes, names) = read(line),
      let sent = (try? JSONTree(message.bytes))?["params"],
      let known = (try? JSONTree(bytes))?["params"]
    else { return [] }
    return unknown(in: sent, known, "params").map { path, name in
      let near = NearName.nearest(to: name, among: names).map { "; did you mean \($0)?" } ?? ""
      return "\(method): \(path).\(SafeText(name).onOneLine) is not read\(near)"
    }
  }

  /// The members that have views.
  private static let views: Set<String> = ["view", "preview"]

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

  private static let readers: [String: Reader] = [
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

  private static func names(of message: Any) -> [String] {
    Mirror(reflecting: message).children.compactMap(\.label)
  }
}
