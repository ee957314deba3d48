import WidgetKitCore

/// What a widget says, read and handed to the state.
extension WidgetSession {
  func report(_ report: WidgetReport) {
    switch report {
    case .line(let bytes):
      memory.noteHeard()
      run?.bytesReceived += bytes.count + 1
      read(bytes)
    case .log(let lines): for line in lines { log.write(SafeText("stderr: \(line)")) }
    case .violation(let words): handle(.violation(words))
    case .ended(let status):
      flushView()
      endRun("\(status)", cpu: connection?.cpu ?? .zero)
      connection = nil
      log.writeEnd(SafeText("ended: \(status)"))
      handle(.ended(status))
    }
  }

  private func read(_ bytes: ArraySlice<UInt8>) {
    let line: IncomingLine
    do throws(WireError) {
      line = try IncomingLine(bytes, depthLimit: limits.jsonDepth)
    } catch {
      trace?.write(.from, widget: id, message: bytes, isJSON: error.code != .parseError)
      refuse(error, id: nil)
      return
    }
    trace?.write(.from, widget: id, message: bytes, isJSON: true)
    do throws(WireError) {
      try read(line)
    } catch {
      refuse(error, id: nil)
    }
  }

  private func read(_ line: IncomingLine) throws(WireError) {
    switch line.kind {
    case .result(let id), .error(.some(let id)):
      flushView()
      guard case .number(let number) = id, let call = pending.removeValue(forKey: number) else {
        handle(.strayReply)
        return
      }
      handle(.replied(HostReply(to: call, line, budget: budget)))
      noteUnknownTypes()
    case .error(nil):
      log.write("the widget could not read a line of the host")
    case .notification(let method):
      if method == SetViewNotification.method {
        hold(line)
        return
      }
      flushView()
      try notified(method, line)
    case .request(let id, let method):
      flushView()
      do throws(WireError) {
        try requested(method, id, line)
      } catch {
        refuse(error, id: id)
      }
    }
  }

  private func notified(_ method: String, _ line: IncomingLine) throws(WireError) {
    switch method {
    case SetPreferredContentSizeNotification.method:
      let message = try line.decode(SetPreferredContentSizeNotification.self)
      handle(.received(.setPreferredContentSize(message.size)))
    case SetLargestAvailableDisplayModeNotification.method:
      let message = try line.decode(SetLargestAvailableDisplayModeNotification.self)
      handle(.received(.setLargestAvailableDisplayMode(message.mode)))
    case LogNotification.method:
      handle(.received(.log(try line.decode(LogNotification.self))))
    case EndExpiringActivityNotification.method:
      let message = try line.decode(EndExpiringActivityNotification.self)
      handle(.received(.endExpiringActivity(message.activity)))
    default:
      // A notification has no answer (JSON-RPC 2.0 §4.1); the log is where its author looks.
      log.write(SafeText("no method “\(method)”"))
    }
  }

  private func requested(
    _ method: String,
    _ id: MessageID,
    _ line: IncomingLine
  ) throws(WireError) {
    guard openRequests.count < limits.openRequests else {
      throw WireError(
        code: .tooManyRequests,
        message: "\(openRequests.count) requests are open, the limit"
      )
    }
    switch method {
    case OpenURLRequest.method:
      let request = try line.decode(OpenURLRequest.self)
      openRequests.insert(id)
      handle(.received(.openURL(request.url, id: id)))
    case BeginExpiringActivityRequest.method:
      let request = try line.decode(BeginExpiringActivityRequest.self)
      openRequests.insert(id)
      handle(.received(.beginExpiringActivity(request.reason, id: id)))
    case SetHasContentRequest.method:
      let request = try line.decode(SetHasContentRequest.self)
      handle(.received(.setHasContent(request, id: id)))
    default:
      throw .methodNotFound(method)
    }
  }

  /// Answers a message that was no good, notes it, and counts it where it was no message at all.
  private func refuse(_ error: WireError, id: MessageID?) {
    let isFault = error.code == .parseError || error.code == .invalidRequest
    run?.faults += 1
    if isFault || id != nil { send(OutgoingLine.error(error, id: id)) }
    if isFault {
      handle(.badMessage(error))
    } else {
      log.write(SafeText("refused: \(error)"))
    }
  }

  // MARK: - Views

  /// Names in the log, once, each type of element that this version does not know.
  private func noteUnknownTypes() {
    for type in budget.unknownTypes where knownUnknowns.insert(type).inserted {
      log.write(SafeText("no element “\(type)”; its alt or its children are shown"))
    }
  }

  /// Keeps the newest view undecoded until its turn.
  private func hold(_ line: IncomingLine) {
    guard let delay = views.hold(line, at: clock.now) else { return }
    views.timer = clock.schedule(after: delay) { [weak self] in self?.flushView() }
  }

  func flushView() {
    guard let line = views.take(at: clock.now) else { return }
    do throws(WireError) {
      let message = try line.decode(SetViewNotification.self, budget: budget)
      noteUnknownTypes()
      handle(.received(.setView(message.view)))
    } catch {
      log.write(SafeText("refused: \(error)"))
    }
  }
}
