import Testing

@testable import WidgetKitCore

/// A message on the wire, and the message written for it: samples of all that there are, with all members.
struct MessageSample: Sendable, CustomTestStringConvertible {
  /// The method of the message, or of the request that it answers.
  var method: String
  var isAnswer = false
  var json: String
  /// The message as the library writes it after it has read it.
  var rewritten: @Sendable (IncomingLine) throws -> [UInt8]
  var testDescription: String { isAnswer ? "answer to \(method)" : method }

  static let all = requests + notifications + replies

  private static func request<Message: RequestMessage>(
    _ type: Message.Type,
    _ params: String
  ) -> MessageSample {
    MessageSample(
      method: Message.method,
      json: #"{"jsonrpc":"2.0","id":7,"method":"\#(Message.method)","params":\#(params)}"#
    ) { OutgoingLine.request(try $0.decode(type), id: 7) }
  }

  private static func notification<Message: NotificationMessage>(
    _ type: Message.Type,
    _ params: String
  ) -> MessageSample {
    MessageSample(
      method: Message.method,
      json: #"{"jsonrpc":"2.0","method":"\#(Message.method)","params":\#(params)}"#
    ) { OutgoingLine.notification(try $0.decode(type)) }
  }

  private static func reply<Message: RequestMessage>(
    _ type: Message.Type,
    _ result: String
  ) -> MessageSample {
    MessageSample(
      method: Message.method,
      isAnswer: true,
      json: #"{"jsonrpc":"2.0","id":"a","result":\#(result)}"#
    ) { OutgoingLine.result(try $0.decode(Message.Reply.self), id: .string("a")) }
  }

  static let requests = [
    request(
      InitializeRequest.self,
      #"""
      {"protocolVersion":1,"host":{"name":"today","version":"0.1.0"},
      "bundleIdentifier":"com.example.ClownTown.Today","instance":"2","configuration":{"a":"b"},
      "reason":"appear","activeDisplayMode":"compact","maximumSize":{"width":36,"height":200},
      "marginInsets":{"top":0,"left":1,"bottom":0,"right":1},"locale":"en_GB","timeZone":"UTC",
      "appearance":{"colors":16777216,"dark":true},
      "containers":{"data":"/d","cache":"/c","groups":{"group.a":"/g"}}}
      """#
    ),
    request(
      InitializeRequest.self,
      #"""
      {"protocolVersion":1,"host":{"name":"today","version":"0.1.0"},
      "bundleIdentifier":"com.example.Paste","reason":"request","activeDisplayMode":"expanded",
      "maximumSize":{"width":78,"height":20},
      "marginInsets":{"top":0,"left":0,"bottom":0,"right":0},"locale":"en_GB","timeZone":"UTC",
      "appearance":{"colors":256,"dark":true},"containers":{"data":"/d","cache":"/c","groups":{}},
      "extensionPoint":"com.apple.share-services","hasView":true,"role":"editor",
      "extensionContext":{"inputItems":[{"attributedTitle":"Fix","attributedContentText":"Why",
      "userInfo":{"path":"/a"},"attachments":[{"id":"a1",
      "registeredTypeIdentifiers":["public.plain-text"],"size":7,"suggestedName":"a"}]}]}}
      """#
    ),
    request(
      WidgetMarginInsetsRequest.self,
      #"{"proposed":{"top":0,"left":1,"bottom":0,"right":1}}"#
    ),
    request(ViewWillAppearRequest.self, #"{"size":{"width":36,"height":4},"animated":false}"#),
    request(ViewWillDisappearRequest.self, "{}"),
    request(WidgetPerformUpdateRequest.self, #"{"reason":"schedule"}"#),
    request(
      ViewWillTransitionToSizeRequest.self,
      #"""
      {"size":{"width":36,"height":9},"transition":3,"duration":0.25,"curve":"easeInOut",
      "animated":true}
      """#
    ),
    request(PerformActionRequest.self, #"{"action":"done-3","value":true}"#),
    request(PerformActionRequest.self, #"{"action":"more"}"#),
    request(OpenURLRequest.self, #"{"url":"clowntown://post/7"}"#),
    request(SetHasContentRequest.self, #"{"flag":false,"bundleIdentifier":"com.example.A"}"#),
    request(BeginExpiringActivityRequest.self, #"{"reason":"save"}"#),
    request(SendSignalRequest.self, #"{"process":812,"startTime":48213,"signal":15}"#),
    request(AlertRequest.self, #"{"text":"Work is over."}"#),
    request(
      SetConfigurationRequest.self,
      #"{"values":{"place":"Berlin","rows":5,"seconds":true,"zones":["UTC"]}}"#
    ),
    request(
      PostNoticeRequest.self,
      #"""
      {"title":"Build failed","body":"two errors","urgency":"critical","tag":"build","progress":40,
      "actions":[{"name":"Log","url":"https://example.com/"},{"name":"Again"}],"expiresAfter":60}
      """#
    ),
    request(PostNoticeRequest.self, #"{"title":"plain"}"#),
    request(
      ReadNoticesRequest.self,
      #"{"since":"2026-11-20T15:00:00Z","waiting":true,"applications":["make"]}"#
    ),
    request(ReadNoticesRequest.self, "{}"),
    request(DismissNoticeRequest.self, #"{"id":"42"}"#),
    request(PerformNoticeActionRequest.self, #"{"id":"42","name":"Log"}"#),
    request(PerformActionRequest.self, #"{"action":"find","value":"clown"}"#),
    request(ListShouldRemoveRowRequest.self, #"{"list":"todo","row":"3"}"#),
    request(ListDidRemoveRowRequest.self, #"{"list":"todo","row":"3"}"#),
    request(ListDidMoveRowRequest.self, #"{"list":"todo","row":"3","before":null}"#),
    request(ListDidMoveRowRequest.self, #"{"list":"todo","row":"3","before":"1"}"#),
    request(WidgetListPerformAddActionRequest.self, #"{"list":"todo"}"#),
    request(SecretAddRequest.self, #"{"name":"token","group":"com.example.A","value":"s"}"#),
    request(SecretFindRequest.self, #"{"name":"token","group":"com.example.A"}"#),
    request(SecretUpdateRequest.self, #"{"name":"token","group":"com.example.A","value":"s"}"#),
    request(SecretDeleteRequest.self, #"{"name":"token","group":"com.example.A"}"#),
    request(DefaultsReadRequest.self, #"{"suite":"group.a","keys":["cups"]}"#),
    request(DefaultsWriteRequest.self, #"{"suite":"group.a","values":{"cups":4,"last":null}}"#),
    request(CoordinateBeginRequest.self, #"{"path":"/g/cups.json","intent":"write"}"#),
    request(
      DownloadInBackgroundRequest.self,
      #"""
      {"identifier":"com.example.A","url":"https://example.com/a","sharedContainer":"group.a",
      "headers":{"A":"b"},"credential":"token","authentication":"bearer","byteLimit":1000}
      """#
    ),
    request(
      UploadInBackgroundRequest.self,
      #"""
      {"identifier":"com.example.A","url":"https://example.com/a","sharedContainer":"group.a",
      "method":"PUT","file":"/g/a","headers":{"A":"b"},"credential":"token",
      "authentication":"basic","byteLimit":1000}
      """#
    ),
    request(CancelTransferRequest.self, #"{"task":"6f1e"}"#),
    request(
      HandleEventsForBackgroundURLSessionRequest.self,
      #"""
      {"identifier":"com.example.A","events":[
      {"task":"1","url":"https://example.com/a","path":"/g/a","status":200},
      {"task":"2","url":"https://example.com/b","error":"no network","reason":"network"}]}
      """#
    ),
    request(LoadItemRequest.self, #"{"attachment":"a1","type":"public.text","as":"path"}"#),
    request(LoadPreviewRequest.self, #"{"attachment":"a1"}"#),
    request(ContentDidChangeRequest.self, #"{"text":"clow"}"#),
    request(ConfigurationItemChosenRequest.self, #"{"id":"expiry","value":"1 day"}"#),
    request(DidSelectPostRequest.self, #"{"text":"clown"}"#),
    request(DidSelectCancelRequest.self, "{}"),
    request(
      CompleteRequestRequest.self,
      #"""
      {"returningItems":[{"attachments":[
      {"type":"public.json","text":"{}","suggestedName":"a.json"},
      {"type":"public.png","path":"/d/a.png"}]}]}
      """#
    ),
  ]

  static let notifications = [
    notification(ViewDidAppearNotification.self, "{}"),
    notification(ViewDidDisappearNotification.self, "{}"),
    notification(TransitionDidCompleteNotification.self, #"{"transition":3,"finished":true}"#),
    notification(
      ActiveDisplayModeDidChangeNotification.self,
      #"{"activeDisplayMode":"expanded","maximumSize":{"width":36,"height":200}}"#
    ),
    notification(
      AppearanceDidChangeNotification.self,
      #"{"appearance":{"colors":256,"dark":false}}"#
    ),
    notification(ExpiringActivityNotification.self, #"{"activity":1,"expired":true}"#),
    notification(DidReceiveMemoryWarningNotification.self, "{}"),
    notification(ShutdownNotification.self, "{}"),
    notification(SetViewNotification.self, #"{"view":{"type":"text","text":"Hello"}}"#),
    notification(SetPreferredContentSizeNotification.self, #"{"height":6}"#),
    notification(SetPreferredContentSizeNotification.self, #"{"height":null}"#),
    notification(SetLargestAvailableDisplayModeNotification.self, #"{"mode":"expanded"}"#),
    notification(EndExpiringActivityNotification.self, #"{"activity":1}"#),
    notification(LogNotification.self, #"{"level":"info","message":"…"}"#),
    notification(LogNotification.self, #"{"message":"plain"}"#),
    notification(ClockDidChangeNotification.self, #"{"now":"2031-02-03T04:05:06Z"}"#),
    notification(
      ConfigurationDidChangeNotification.self,
      #"{"configuration":{"name":"a","rows":5,"on":true,"zones":["UTC"]}}"#
    ),
    notification(HostDidBecomeActiveNotification.self, "{}"),
    notification(HostWillResignActiveNotification.self, "{}"),
    notification(HostDidEnterBackgroundNotification.self, "{}"),
    notification(HostWillEnterForegroundNotification.self, "{}"),
    notification(FieldDidChangeNotification.self, #"{"field":"search","text":"clo"}"#),
    notification(WidgetDidBeginEditingNotification.self, "{}"),
    notification(WidgetDidEndEditingNotification.self, "{}"),
    notification(TransferDidProgressNotification.self, #"{"task":"1","bytes":2,"total":3}"#),
    notification(TransferDidProgressNotification.self, #"{"task":"1","bytes":2,"total":null}"#),
    notification(DefaultsDidChangeNotification.self, #"{"suite":"group.a","keys":["cups"]}"#),
    notification(ObserveNotificationNotification.self, #"{"name":"group.a.changed"}"#),
    notification(RemoveObserverNotification.self, #"{"name":"group.a.changed"}"#),
    notification(PostNotificationNotification.self, #"{"name":"group.a.changed"}"#),
    notification(DidReceiveNotificationNotification.self, #"{"name":"group.a.changed"}"#),
    notification(CoordinateEndNotification.self, #"{"token":3}"#),
    notification(NoticesDidChangeNotification.self, "{}"),
    notification(LoadProgressNotification.self, #"{"attachment":"a1","bytes":2,"total":3}"#),
    notification(LoadProgressNotification.self, #"{"attachment":"a1","bytes":2,"total":null}"#),
    notification(CancelLoadNotification.self, #"{"attachment":"a1"}"#),
    notification(
      SetComposeNotification.self,
      #"""
      {"placeholder":"About","text":"#ne","preview":{"type":"text","text":"Hello"},
      "configurationItems":[{"id":"expiry","title":"Expires","value":"1 day","valuePending":true,
      "choices":["1 hour","1 day"]}],
      "completions":[{"text":"#news","detail":"12 posts","replaces":3}]}
      """#
    ),
    notification(SetComposeNotification.self, #"{"completions":null}"#),
    notification(
      ValidateContentNotification.self,
      #"{"isContentValid":false,"charactersRemaining":-2}"#
    ),
    notification(PopConfigurationNotification.self, "{}"),
    notification(PresentationAnimationDidFinishNotification.self, "{}"),
    notification(
      CancelRequestNotification.self,
      #"{"error":"no network","itemErrors":{"a1":"too large"}}"#
    ),
    notification(ReportProgressNotification.self, #"{"completed":1.5,"total":3}"#),
    notification(RequestDidCompleteNotification.self, #"{"expired":true}"#),
  ]

  static let replies = [
    reply(
      InitializeRequest.self,
      #"""
      {"protocolVersion":1,"implements":["widgetPerformUpdate"],
      "largestAvailableDisplayMode":"expanded","allowsEditing":false,
      "view":{"type":"text","text":"Hello"},"preferredContentSize":{"height":3}}
      """#
    ),
    reply(ViewWillAppearRequest.self, #"{"preferredContentSize":null}"#),
    reply(ViewWillDisappearRequest.self, "{}"),
    reply(
      WidgetPerformUpdateRequest.self,
      #"""
      {"result":"newData","view":{"type":"text","text":"Hello"},"refreshAfter":60,
      "timeline":{"entries":[{"date":"2026-11-20T15:00:00Z","relevance":2,
      "view":{"type":"text","text":"later"}}],"policy":"atEnd"}}
      """#
    ),
    reply(
      WidgetPerformUpdateRequest.self,
      #"{"result":"newData","timeline":{"entries":[],"policy":{"after":"2026-11-20T15:00:00Z"}}}"#
    ),
    reply(WidgetPerformUpdateRequest.self, #"{"result":"noData"}"#),
    reply(WidgetPerformUpdateRequest.self, #"{"result":"failed","error":"no network"}"#),
    reply(ViewWillTransitionToSizeRequest.self, #"{"alongside":{"type":"text","text":"end"}}"#),
    reply(ViewWillTransitionToSizeRequest.self, "{}"),
    reply(WidgetMarginInsetsRequest.self, #"{"top":0,"left":2,"bottom":1,"right":2}"#),
    reply(PerformActionRequest.self, #"{"result":"newData","view":{"type":"text","text":"x"}}"#),
    reply(OpenURLRequest.self, #"{"success":true}"#),
    reply(BeginExpiringActivityRequest.self, #"{"activity":1,"expired":false}"#),
    reply(ListShouldRemoveRowRequest.self, #"{"allowed":true}"#),
    reply(ListDidRemoveRowRequest.self, #"{"view":{"type":"text","text":"x"}}"#),
    reply(ListDidMoveRowRequest.self, "{}"),
    reply(WidgetListPerformAddActionRequest.self, "{}"),
    reply(SecretFindRequest.self, #"{"value":"s3cret"}"#),
    reply(SecretFindRequest.self, #"{"value":null}"#),
    reply(DefaultsReadRequest.self, #"{"values":{"a":[1,{"b":"c"}],"d":1.5,"e":true}}"#),
    reply(CoordinateBeginRequest.self, #"{"token":3}"#),
    reply(PostNoticeRequest.self, #"{"id":"42"}"#),
    reply(
      ReadNoticesRequest.self,
      #"""
      {"notices":[{"id":"42","date":"2026-11-20T15:00:00Z","application":"make","source":"post",
      "host":"build","title":"Build failed","body":"two errors","urgency":"critical","tag":"build",
      "progress":40,"actions":[{"name":"Log","url":"https://example.com/"},{"name":"Again"}],
      "state":"waiting"},{"id":"7","date":"2026-11-20T14:00:00Z","application":"Mail",
      "source":"desktop","title":"a message","urgency":"low","state":"earlier"}]}
      """#
    ),
    reply(DownloadInBackgroundRequest.self, #"{"task":"6f1e"}"#),
    reply(UploadInBackgroundRequest.self, #"{"task":"6f1e"}"#),
    reply(LoadItemRequest.self, #"{"text":"Hello","url":"https://example.com/","data":"SGk="}"#),
    reply(LoadItemRequest.self, #"{"path":"/tmp/a","size":7,"isInPlace":false}"#),
    reply(LoadPreviewRequest.self, #"{"view":{"type":"text","text":"Hello"}}"#),
    reply(ContentDidChangeRequest.self, #"{"isContentValid":true,"charactersRemaining":5}"#),
    reply(ConfigurationItemChosenRequest.self, #"{"view":{"type":"text","text":"more"}}"#),
  ]
}
