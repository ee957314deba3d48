import WidgetExtensions
import WidgetKitCore
import WidgetPlatform

/// A widget that is served after its host has ended, until its activities have ended or its time is over.
@MainActor final class LeavingGuest {
  private let widget: LeavingOrder.Widget
  private let watch: SharedDataWatch
  private let clock: any HostClock
  private let onEnd: () -> Void
  private let input: PipeWriter
  private let output: PipeReader
  private let errors: PipeReader
  private var process: DescriptorWatch?
  private var framer = LineFramer()
  /// The numbers of its open activities.
  private var activities: Set<Int>
  private var timers: [any HostTimer] = []
  private var isExiting = false
  private lazy var shared: SharedDataAccess? =
    SharedDataAccess(owner: self, widget.shared, watch: watch)

  /// Whether none of its processes runs.
  private(set) var hasEnded = false

  /// How long it has to exit by itself.
  private static let exitTime: Duration = .milliseconds(600)
  /// The most bytes that are read at once, and the pause after them, so that a flood costs little.
  private static let turn = 16 * 1024
  private static let pause: Duration = .milliseconds(2)
  /// The most bytes in a pipe (pipe(7)).
  private static let pipe = 1 << 20

  init(
    _ widget: LeavingOrder.Widget,
    watch: SharedDataWatch,
    clock: any HostClock,
    onEnd: @escaping () -> Void
  ) {
    (self.widget, self.watch, self.clock, self.onEnd) = (widget, watch, clock, onEnd)
    input = PipeWriter(descriptor: widget.input, queue: OutputQueue())
    output = PipeReader(descriptor: widget.output)
    errors = PipeReader(descriptor: widget.errors)
    activities = Set(widget.activities.numbers)
    framer.append(widget.pending)
  }

  /// Begins to serve it.
  func start() {
    if !widget.unsent.isEmpty { send(Array(widget.unsent)) }
    for id in widget.unanswered { send(OutgoingLine.error(Self.refusal, id: id)) }
    _ = shared
    let (limit, last) = (widget.activities.limit, widget.activities.lastMoments)
    after(.milliseconds(limit - last)) { $0.tellExpiry() }
    after(.milliseconds(limit)) { $0.end() }
    process = DescriptorWatch(widget.process.pidfd, for: .reading) { [weak self] in
      self?.didExit()
    }
    process?.resume()
    output.start { [weak self] in self?.read() }
    errors.start { [weak self] in self?.readErrors() }
    exitIfDone()
  }

  private func after(_ time: Duration, _ action: @escaping (LeavingGuest) -> Void) {
    timers.append(
      clock.schedule(after: time) { [weak self] in
        if let self, !hasEnded { action(self) }
      }
    )
  }

  // MARK: - Its end

  private func tellExpiry() {
    guard !isExiting else { return }
    if widget.activities.followRequest {
      send(OutgoingLine.notification(RequestDidCompleteNotification(expired: true)))
    }
    guard widget.activities.areHeard else { return }
    for number in activities.sorted() where number > 0 {
      send(
        OutgoingLine.notification(ExpiringActivityNotification(activity: number, expired: true))
      )
    }
  }

  /// Asks it to exit when nothing is open any more.
  private func exitIfDone() {
    guard activities.isEmpty, !isExiting, !hasEnded else { return }
    isExiting = true
    send(OutgoingLine.notification(ShutdownNotification()))
    input.closeWhenDrained()
    after(Self.exitTime) { $0.end() }
  }

  private func didExit() {
    // What it wrote before it ended is still done. More than a pipe holds comes from a process that has escaped.
    for _ in 0..<Self.pipe / Self.turn {
      guard let bytes = output.read(atMost: Self.turn) else { break }
      take(bytes)
    }
    end()
  }

  private func end() {
    guard !hasEnded else { return }
    hasEnded = true
    for timer in timers { timer.cancel() }
    process?.pause()
    process = nil
    input.close()
    output.stop()
    errors.stop()
    widget.process.end()
    // Its accesses end when nothing of it runs that could still write.
    shared = nil
    onEnd()
  }

  // MARK: - What it says

  private func read() {
    guard let bytes = output.read(atMost: Self.turn) else { return }
    take(bytes)
    if !hasEnded { output.pause(for: Self.pause) }
  }

  private func readErrors() {
    guard errors.read(atMost: Self.turn) != nil else { return }
    errors.pause(for: Self.pause)
  }

  private func take(_ bytes: [UInt8]) {
    framer.append(bytes)
    do throws(LineTooLong) {
      while !hasEnded, let line = try framer.next() { take(line) }
    } catch {
      end()
    }
  }

  private func take(_ bytes: ArraySlice<UInt8>) {
    guard let line = try? IncomingLine(bytes, depthLimit: Self.depthLimit) else { return }
    do throws(WireError) {
      switch line.kind {
      case .request(let id, let method):
        perform(try HostService.message(of: method, id: id, line), id)
      case .notification(let method) where Self.notifications.contains(method):
        perform(try WidgetMessage(notification: method, line, ViewBudget()), nil)
      default: break
      }
    } catch {
      if case .request(let id, _) = line.kind { send(OutgoingLine.error(error, id: id)) }
    }
  }

  /// The notifications that still matter.
  private static let notifications: Set<String> = [
    EndExpiringActivityNotification.method, CoordinateEndNotification.method,
    PostNotificationNotification.method,
  ]
  private static let depthLimit = 64

  private func perform(_ message: WidgetMessage, _ id: MessageID?) {
    switch message {
    case .endExpiringActivity(let number):
      activities.remove(number)
      exitIfDone()
    case .service(.shared(let request), _): shared?.perform(request, id)
    case .beginExpiringActivity(_, let id):
      let reply = BeginExpiringActivityRequest.Reply(activity: 0, expired: true)
      send(OutgoingLine.result(reply, id: id))
    default:
      if let id { send(OutgoingLine.error(Self.refusal, id: id)) }
    }
  }

  private static let refusal = WireError(
    code: .notPermitted,
    message: "the user has quit; only defaults, notifications by name and coordinated access "
      + "are served"
  )

  private func send(_ line: [UInt8]) {
    // One that does not read is ended at the end of its time.
    _ = input.send(line)
  }
}

extension LeavingGuest: SharedDataAccessOwner {
  func answer(_ answer: Result<SharedDataAnswer, WireError>, to id: MessageID) {
    guard !hasEnded else { return }
    switch answer {
    case .success(let answer): send(ServiceAnswer(answer).line(to: id))
    case .failure(let error): send(OutgoingLine.error(error, id: id))
    }
  }

  func sharedDataHasTrouble(_ error: WireError) {}

  func sharedDataDidChange(_ change: SharedDataChange) {}
}
