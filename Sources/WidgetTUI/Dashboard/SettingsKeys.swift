import WidgetCards
import WidgetExtensions
import WidgetKitCore
import WidgetPages
import WidgetPlatform

/// Keys and the mouse in the form of a widget's settings.
final class SettingsKeys {
  private unowned let owner: any DashboardKeysOwner

  init(owner: any DashboardKeysOwner) {
    self.owner = owner
  }

  /// Opens the form of a card.
  func open(_ card: CardID) {
    guard let name = owner.model.card(card)?.name else { return }
    guard !owner.model.content.isLocked else {
      return owner.center.notices.say(owner.center.lock.words)
    }
    guard let book = owner.center.settings.book(of: card), !book.rows.isEmpty else {
      return owner.center.notices.say("\(name) has no settings.")
    }
    owner.model.mode = .settings(SettingsForm(card: card, name: name, book.rows))
  }

  /// Takes a key.
  func handle(_ key: Key, in form: SettingsForm) {
    var changed = form
    let outcome = changed.take(key)
    follow(outcome, checked(changed, since: form))
  }

  /// Takes a click.
  func click(_ position: Position, in form: SettingsForm) {
    var changed = form
    let outcome = changed.click(position, on: owner.model.size, owner.model.look.glyphs)
    follow(outcome, checked(changed, since: form))
  }

  /// Goes to the next or the previous line with the wheel.
  func scroll(forward: Bool, in form: SettingsForm) {
    var changed = form
    changed.scroll(forward: forward)
    follow(.stays, checked(changed, since: form))
  }

  /// The form with what is wrong with the line that was left just now: nobody types a whole form before it is said.
  private func checked(_ form: SettingsForm, since before: SettingsForm) -> SettingsForm {
    guard let row = form.left(since: before),
      let book = owner.center.settings.book(of: form.card)
    else { return form }
    var form = form
    form.note(fault(of: row, in: book), of: row.declaration.name)
    return form
  }

  /// Why a setting cannot have its value; nil if it can.
  private func fault(of row: SettingsFormRow, in book: SettingsBook) -> SettingsFormRow.Fault? {
    let name = row.declaration.name
    // In a list it is said below the text that it is about.
    for (line, words) in row.texts {
      if let words = fault(of: name, words, in: book) {
        return SettingsFormRow.Fault(words, line: line, suggestion: row.suggestion(on: line))
      }
    }
    let line = row.lineCount - 1
    return fault(of: name, row.words, in: book).map {
      SettingsFormRow.Fault($0, line: line, suggestion: row.suggestion(on: line))
    }
  }

  /// Why a value cannot be that of a setting; nil if it can.
  private func fault(of name: String, _ words: String?, in book: SettingsBook) -> SafeText? {
    do throws(HostError) {
      try book.check(name, words.map { [$0] })
      return nil
    } catch {
      // The error is shown beside the setting, whose name it begins with.
      let words = error.description
      let prefix = "\(name): "
      return SafeText(words.hasPrefix(prefix) ? String(words.dropFirst(prefix.count)) : words)
    }
  }

  private func follow(_ outcome: SettingsForm.Outcome, _ form: SettingsForm) {
    switch outcome {
    case .stays: owner.model.mode = .settings(form)
    case .ends: owner.model.closeOverlay()
    case .saves: save(form)
    }
  }

  /// Stores what was changed, all of it or nothing.
  private func save(_ form: SettingsForm) {
    var form = form
    let changes = form.changes
    let settings = owner.center.settings
    guard let book = settings.book(of: form.card) else {
      form.show("The widget is no longer there; nothing was saved.")
      owner.model.mode = .settings(form)
      return
    }
    var faults: [String: SettingsFormRow.Fault] = [:]
    for row in form.changedRows { faults[row.declaration.name] = fault(of: row, in: book) }
    guard faults.isEmpty else {
      form.show(faults)
      owner.model.mode = .settings(form)
      return
    }
    do throws(HostError) {
      let words = changes.map { ($0.name, $0.words.map { [$0] }) }
      try book.change(Dictionary(uniqueKeysWithValues: words))
    } catch {
      form.show(SafeText(error.description))
      owner.model.mode = .settings(form)
      return
    }
    owner.model.closeOverlay()
    guard !changes.isEmpty else { return }
    settings.storedDidChange(of: form.card)
    owner.center.notices.say(
      changes.count == 1 ? "1 setting saved." : "\(changes.count) settings saved."
    )
  }
}
