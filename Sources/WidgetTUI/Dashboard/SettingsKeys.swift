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
    var form = form
    let outcome = form.take(key)
    follow(outcome, form)
  }

  /// Takes a click.
  func click(_ position: Position, in form: SettingsForm) {
    var form = form
    let outcome = form.click(position, on: owner.model.size, owner.model.look.glyphs)
    follow(outcome, form)
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
    var errors: [String: SafeText] = [:]
    for (name, words) in changes {
      do throws(HostError) {
        try book.check(name, words.map { [$0] })
      } catch {
        // The error is shown beside the setting, whose name it begins with.
        let words = error.description
        let prefix = "\(name): "
        errors[name] = SafeText(
          words.hasPrefix(prefix) ? String(words.dropFirst(prefix.count)) : words
        )
      }
    }
    guard errors.isEmpty else {
      form.show(errors)
      owner.model.mode = .settings(form)
      return
    }
    do throws(HostError) {
      for (name, words) in changes {
        if let words { try book.set(name, to: [words]) } else { try book.unset(name) }
      }
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
