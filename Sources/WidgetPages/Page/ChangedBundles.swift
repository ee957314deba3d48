import WidgetCards
import WidgetKitCore
import WidgetPlatform
import WidgetSessions

/// Handles bundles that change on the disk while their cards are on the page.
///
/// This is a class because it remembers problems between calls.
final class ChangedBundles {
  private let page: PageCards
  private let notices: PageNotices
  private let byteLimit: Int
  /// The problems with the bundles that should have replaced those of cards.
  private var problems: [CardID: SafeText] = [:]

  /// Creates a handler for the cards of a page; `byteLimit` is the limit on an `Info.plist`.
  init(page: PageCards, notices: PageNotices, byteLimit: Int) {
    self.page = page
    self.notices = notices
    self.byteLimit = byteLimit
  }

  /// Replaces the bundle of a card if its manifest differs from the one that was read, or its program
  /// from the one that was started.
  ///
  /// The old process is ended normally. If the new bundle has a problem, the page says so and the old
  /// bundle stays.
  func follow(_ controller: CardRuntime) {
    guard let session = controller.session, session.isOutdated else { return }
    let old = session.bundle
    // A script that is gone from another machine is about to be gone from the page.
    guard old.script?.pathThere == nil || FileIdentity(old.path) != nil else { return }
    if let problem = problems.removeValue(forKey: controller.card.id) { notices.forget(problem) }
    let bundle: WidgetBundle
    do throws(BundleError) {
      bundle = try old.readAgain(byteLimit: byteLimit)
    } catch {
      return refuse(SafeText(error.description), of: controller)
    }
    guard bundle.bundleIdentifier == old.bundleIdentifier else {
      let words =
        "\(old.path): the identifier was \(old.bundleIdentifier) and is now "
        + "\(bundle.bundleIdentifier); start today again to show that widget"
      return refuse(SafeText(words), of: controller)
    }
    page.replace(old, by: bundle, of: controller)
  }

  /// Replaces the bundles of which other versions were installed, and asks these for new data.
  ///
  /// What is edited in place may be half done, and is for ``follow(_:)``.
  func followInstalled() {
    for controller in page.controllers {
      guard let session = controller.session, session.bundle.script == nil, session.isReplaced
      else { continue }
      follow(controller)
      controller.send(.refresh(.event))
    }
  }

  /// Reads a card's script again if config.json says something else about it than before.
  func apply(_ options: [String: ScriptOptions], to controller: CardRuntime) {
    guard let bundle = controller.session?.bundle, let script = bundle.script else { return }
    let isProgramSame =
      script.block == nil || options[script.identifier] == script.ownOfProgram
    guard options[bundle.bundleIdentifier] != script.own || !isProgramSame else { return }
    do throws(BundleError) {
      page.replace(bundle, by: try bundle.readAgain(options: options), of: controller)
      controller.send(.refresh(.event))
    } catch {
      refuse(SafeText(error.description), of: controller)
    }
  }

  private func refuse(_ problem: SafeText, of controller: CardRuntime) {
    problems[controller.card.id] = problem
    controller.log(SafeText("not reloaded: \(problem)"))
    notices.note(problem, about: controller.card.id)
  }
}
