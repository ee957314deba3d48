import WidgetKitCore

/// What a widget says, read and handed to the state.
extension WidgetSession {
  func report(_ report: WidgetReport) {
    if case .line(let bytes) = report {
      resources.noteHeard()
      run?.bytesReceived += bytes.count + 1
    }
    take(.report(report))
  }

  func takeIn(_ item: Inbox.Item) {
    switch item {
    case .report(.line(let bytes)): read(bytes)
    case .report(.log(let lines)):
      for line in lines { log.write(SafeText("stderr: \(line)")) }
    case .report(.violation(let words)): handle(.violation(words))
    case .report(.ended(let status)):
      guard hasShownView(before: item) else { return }
      endRun("\(status)", cpu: connection?.cpu ?? .zero)
      connection = nil
      log.writeEnd(SafeText("ended: \(status)"))
      handle(.ended(status))
    case .message(let line): read(line)
    case .view: showView()
    }
  }

  private func read(_ bytes: ArraySlice<UInt8>) {
    let depthLimit = limits.jsonDepth
    read(byteCount: bytes.count) {
      Result { () throws(WireError) in try IncomingLine(bytes, depthLimit: depthLimit) }
    } then: { [self] line in
      switch line {
      case .success(let line):
        trace?.write(.from, widget: id, message: bytes, isJSON: true)
        read(line)
      case .failure(let error):
        trace?.write(.from, widget: id, message: bytes, isJSON: error.code != .parseError)
        refuse(error, id: nil)
        failRequest(answeredBy: bytes, error)
      }
    }
  }

  /// Ends the wait for an answer that has come and could not be read.
  private func failRequest(answeredBy bytes: ArraySlice<UInt8>, _ error: WireError) {
    guard let number = UnreadableLine.answered(bytes, waiting: pending.keys),
      let call = pending.removeValue(forKey: number)
    else { return }
    handle(.replied(.refused(call, error)))
  }

  private func read(_ line: IncomingLine) {
    if case .notification(SetViewNotification.method) = line.kind {
      hold(line)
      return
    }
    guard hasShownView(before: .message(line)) else { return }
    switch line.kind {
    case .result(let id), .error(.some(let id)):
      guard case .number(let number) = id, let call = pending.removeValue(forKey: number) else {
        handle(.strayReply)
        return
      }
      let budget = budget
      read(byteCount: line.bytes.count) {
        HostReply(to: call, line, budget: budget)
      } then: { [self] reply in
        handle(.replied(reply))
        noteUnknownTypes()
      }
    case .error(nil):
      log.write("the widget could not read a line of the host")
    case .notification(let method):
      accept(line, id: nil) { line, budget throws(WireError) in
        try WidgetMessage(notification: method, line, budget)
      }
    case .request(let id, let method):
      guard openRequests.count < limits.openRequests else {
        let message = "\(openRequests.count) requests are open, the limit is \(limits.openRequests)"
        refuse(WireError(code: .tooManyRequests, message: message), id: id)
        return
      }
      accept(line, id: id) { line, _ throws(WireError) in
        try HostService.message(of: method, id: id, line)
      }
    }
  }

  /// Decodes what the widget says of its own accord and hands it to the state.
  private func accept(
    _ line: IncomingLine,
    id: MessageID?,
    decode: @escaping @Sendable (IncomingLine, ViewBudget) throws(WireError) -> WidgetMessage
  ) {
    let budget = budget
    read(byteCount: line.bytes.count) {
      Result { () throws(WireError) in try decode(line, budget) }
    } then: { [self] message in
      switch message {
      case .success(let message):
        if let id, message.staysOpen { openRequests.insert(id) }
        noteUnknownTypes()
        handle(.received(message))
      case .failure(let error):
        refuse(error, id: id)
      }
    }
  }

  /// Answers a message that was no good, notes it, and counts it where it was no message at all.
  private func refuse(_ error: WireError, id: MessageID?) {
    let isFault = error.code == .parseError || error.code == .invalidRequest
    run?.faults += 1
    // A notification has no answer (JSON-RPC 2.0 §4.1); the log is where its author looks.
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
      log.write(SafeText("unknown node type “\(type)”; its alt or its children are shown"))
    }
  }

  /// Keeps the newest view undecoded until its turn.
  private func hold(_ line: IncomingLine) {
    guard let delay = views.hold(line, at: clock.now) else { return }
    views.timer = clock.schedule(after: delay) { [weak self] in self?.take(.view) }
  }

  /// Shows the view that was said before something else; false where that has to wait for it.
  private func hasShownView(before item: Inbox.Item) -> Bool {
    showView()
    guard inbox.isReading else { return true }
    inbox.putBack(item)
    return false
  }

  private func showView() {
    guard let line = views.take(at: clock.now) else { return }
    accept(line, id: nil) { line, budget throws(WireError) in
      try WidgetMessage(notification: SetViewNotification.method, line, budget)
    }
  }
}
