import WidgetKitCore
import WidgetSessions

// MARK: - Presses

extension CardDisplay {
  /// Handles a press on an element as it was drawn.
  mutating func press(_ target: PressTarget, _ turn: inout CardTurn) {
    guard !isHidden else { return }
    if let steps = input.take(target, &turn) {
      perform(steps, &turn)
    } else {
      pass(target, &turn)
    }
  }

  /// Passes a press on to the widget, at once or when there is a live view.
  ///
  /// It is delivered to the same element of the view that is then shown; if there is none, the press is dropped and
  /// the heading says so.
  private mutating func pass(_ target: PressTarget, _ turn: inout CardTurn) {
    if turn.widget.awaitsLiveView {
      presses.wait(target)
    } else {
      let targets = size.bodyAtRest(&content, environment(turn.context)).targets
      if let found = presses.element(for: target, in: targets) { return deliver(found, &turn) }
      presses.drop()
    }
    pressesDidChange(&turn)
  }

  /// Delivers a press on an element of the card to the widget, or opens the element's link.
  mutating func deliver(_ target: PressTarget, _ turn: inout CardTurn) {
    presses.begin(target, at: turn.now)
    pressesDidChange(&turn)
    userDidAct(&turn)
    if let request = input.request(of: target) {
      turn.send(.press(request))
    } else if let link = target.link {
      turn.effects.append(.open(url: link, call: nil, isPress: true, sincePress: nil))
    }
  }

  /// Delivers the presses that waited for the live view.
  mutating func deliverWaiting(_ turn: inout CardTurn) {
    guard !turn.widget.awaitsLiveView else { return }
    for target in presses.takeWaiting() { pass(target, &turn) }
  }

  /// Draws presses in another way.
  mutating func pressesDidChange(_ turn: inout CardTurn) {
    content.setSwitched(presses.switched)
    turn.draw()
  }

  /// The user has acted on the card, which ends that its height is frozen.
  private mutating func userDidAct(_ turn: inout CardTurn) {
    var wasFrozen = false
    sizing(&turn) { size, _, _ in wasFrozen = size.userDidAct() }
    if wasFrozen { contentDidChange(resizes: true, &turn) }
  }

  /// The user has chosen one of the forms of a card that has both, or leaves that to the page.
  mutating func choose(_ mode: DisplayMode?, _ turn: inout CardTurn) {
    sizing(&turn) { $0.choose(mode, isCovered: $1.isCovered, &$2) }
    userDidAct(&turn)
    contentDidChange(resizes: true, &turn)
  }
}

// MARK: - Fields and lists

extension CardDisplay {
  /// The user types in a field.
  mutating func type(_ edit: CardFields.Edit, in field: FieldTarget, _ turn: inout CardTurn) {
    guard !isHidden else { return }
    tell(input.type(edit, in: field, of: content.view, turn), &turn)
    showInput(&turn)
  }

  /// Enters the text of a field, whose action it sends.
  mutating func enter(_ field: FieldTarget, of target: PressTarget, _ turn: inout CardTurn) {
    type(.enter, in: field, &turn)
    if !isHidden, target.action != nil { pass(target, &turn) }
  }

  /// Tells the widget what the user has done.
  mutating func tell(_ event: SessionEvent?, _ turn: inout CardTurn) {
    guard let event else { return }
    presses.note(at: turn.now)
    turn.send(event)
  }

  /// Does what follows from a change of lists.
  mutating func perform(_ steps: [CardLists.Step], _ turn: inout CardTurn) {
    for step in steps {
      switch step {
      case .show: showInput(&turn)
      case .send(let change): tell(.list(change), &turn)
      case .say(let words): turn.effects.append(.say(words))
      }
    }
  }

  /// Draws what the user has changed.
  mutating func showInput(_ turn: inout CardTurn) {
    presses.note(at: turn.now)
    changingContent(&turn) {
      $0.input.show($0.content.view)
      $0.content.relayOut()
      $0.contentDidChange(resizes: true, &$1)
    }
  }

  /// The user has begun to edit the widget, or does not edit it any more.
  mutating func setEdited(_ isEdited: Bool, _ turn: inout CardTurn) {
    card.isEdited = isEdited
    if input.setEditing(isEdited, turn.widget.implemented) { showInput(&turn) }
    sizing(&turn) { $0.setEdited(isEdited, &$1, &$2) }
    turn.draw()
  }
}

// MARK: - The process

extension CardDisplay {
  /// The live view has replaced the snapshot.
  mutating func viewDidAppear(_ turn: inout CardTurn) {
    turn.widget.viewDidAppear()
    sizing(&turn) {
      $0.contentDidShow(isOther: false, isStated: false, &$1, &$2)
      $0.viewDidAppear(&$1, $2)
    }
    health.viewDidAppear(hasView: card.view != nil)
    presses.clearCue()
    // After the first answers, inherited values that the process did not set are reset.
    if !turn.widget.hasStatedForms { sizing(&turn) { $0.forgetInheritedForm(&$1, &$2) } }
    if !turn.widget.asksForMargins { sizing(&turn) { $0.resetMargins(&$1, &$2) } }
    card.isInPartialSandbox = turn.queries.isInPartialSandbox()
    turn.draw()
  }

  /// The process has ended: what it has not answered is not done, and the content is now a snapshot.
  mutating func processDidEnd(_ turn: inout CardTurn) {
    turn.widget.processDidEnd()
    perform(input.processDidEnd(), &turn)
    sizing(&turn) { $0.endMotion(finished: true, &$1, &$2) }
  }
}
