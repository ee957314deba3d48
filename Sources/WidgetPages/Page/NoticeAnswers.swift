import FoundationEssentials
import Notices
import WidgetExtensions
import WidgetKitCore
import WidgetPlatform

// What widgets post and read, between the wire and the store.

nonisolated extension PostedNotice {
  /// Why it cannot be posted; nil if it can.
  var fault: WireError? {
    func fault(_ member: String, _ words: String) -> WireError {
      WireError(code: .invalidParams, message: "params.\(member): \(words)")
    }
    if SafeText(title).onOneLine.isEmpty { return fault("title", "expected some words") }
    if let progress, !(0...100).contains(progress) {
      return fault("progress", "expected 0 to 100, found \(progress)")
    }
    if let expiresAfter, !(expiresAfter > 0) {
      return fault("expiresAfter", "expected seconds above 0, found \(expiresAfter)")
    }
    for (index, action) in (actions ?? []).enumerated() where action.name.isEmpty {
      return fault("actions[\(index)].name", "expected some words")
    }
    return nil
  }
}

nonisolated extension NoticeContent {
  /// What a widget of an app posts, as it is stored.
  init(_ notice: PostedNotice, of application: String) {
    self.init(
      application: application,
      source: .widget,
      title: notice.title,
      body: notice.body,
      urgency: notice.urgency.flatMap { Urgency(rawValue: $0.rawValue) } ?? .normal
    )
    tag = notice.tag
    progress = notice.progress
    actions = notice.actions?.map { action in
      var stored = NoticeAction(name: action.name)
      stored.url = action.url
      return stored
    }
  }
}

nonisolated extension UserNotice {
  /// The most bytes of a body in an answer.
  private static let bodyBytes = 2 << 10

  init(_ notice: Notice) {
    let content = notice.content
    self.init(
      id: "\(notice.id)",
      date: notice.date,
      application: content.application,
      source: content.source.rawValue,
      title: content.title,
      urgency: NoticeUrgency(rawValue: content.urgency.rawValue) ?? .normal,
      state: notice.state == .waiting ? .waiting : .earlier
    )
    host = content.host
    body = content.body.map { NoticeLimits.cut($0, to: Self.bodyBytes) }
    tag = content.tag
    progress = content.progress
    actions = content.actions?.map { Action($0.name, url: $0.url) }
  }
}

nonisolated extension ReadNoticesRequest.Reply {
  /// The most notices of an answer.
  private static let countLimit = 200
  /// The most bytes of an answer, which the widget has to read at once.
  private static let byteLimit = 120 << 10

  /// The notices that a widget asks for, as many as an answer has room for.
  init(_ list: NoticeList, chosenBy request: ReadNoticesRequest) {
    var list = list
    list.keep(
      waiting: request.waiting ?? false,
      since: request.since,
      applications: request.applications ?? []
    )
    let newest = Array(list.entries.reversed())
    let waiting = newest.filter { $0.state == .waiting }
    let ordered =
      waiting.filter { $0.urgency == .critical } + waiting.filter { $0.urgency != .critical }
      + newest.filter { $0.state == .earlier }
    var notices: [UserNotice] = []
    var bytes = 0
    for entry in ordered.prefix(Self.countLimit) {
      guard let notice = list.notice(entry).map(UserNotice.init) else { continue }
      bytes += (try? JSONEncoder().encode(notice).count) ?? 0
      guard bytes <= Self.byteLimit else { break }
      notices.append(notice)
    }
    self.init(notices: notices)
  }
}

nonisolated extension NoticeList {
  /// The notice of a number; nil if there is none.
  func entry(_ id: Int) -> Entry? { self[id] }
}

nonisolated extension HostError {
  /// There is no notice of a number, or it has no such action.
  static func notice(_ id: String, action: String? = nil) -> HostError {
    let number = SafeText(String(id.prefix(20)))
    let words = action.map { "no notice \(number) with an action “\(SafeText(lineOf: $0))”" }
    return HostError(code: .missing, description: words ?? "no notice \(number)")
  }
}

nonisolated extension WireError {
  /// Why a request about notices was not performed.
  init(notices error: HostError) {
    let code: Code = error.code == .missing ? .notFound : .internalError
    self.init(code: code, message: error.description)
  }
}

extension ServiceCall {
  /// Answers with what came of work on the store.
  func answer<Value>(
    _ result: Result<Value, HostError>,
    _ reply: (Value) -> some Encodable & Sendable
  ) {
    switch result {
    case .success(let value): answer(with: reply(value))
    case .failure(let error): answer(refusal: WireError(notices: error))
    }
  }
}
