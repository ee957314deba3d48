import FoundationEssentials
import Notices
import WidgetKitCore
import WidgetPages
import WidgetPlatform

/// The time without sounds, as the palette begins and ends it.
struct QuietKeys {
  let owner: any DashboardKeysOwner

  private var folders: StateFolders { StateFolders(environment: owner.environment) }

  /// Whether there is quiet time now.
  var isQuiet: Bool { QuietTime.current(folders) != nil }

  /// Begins it; without a length until it is ended.
  func begin(for length: Duration?) {
    let end = length.map { Date().addingTimeInterval($0.seconds) }
    do throws(HostError) {
      try QuietTime(until: end).begin(folders)
    } catch {
      return owner.center.notices.say("Not quiet: \(SafeText(error.description))")
    }
    let clock = end.flatMap { LocalTime($0) }?.clock ?? "you end it"
    owner.center.notices.say(SafeText("Quiet until \(clock); only critical notices sound."))
  }

  /// Ends it.
  func end() {
    do throws(HostError) {
      try QuietTime.finish(folders)
      owner.center.notices.say("Notices sound again.")
    } catch {
      owner.center.notices.say("Still quiet: \(SafeText(error.description))")
    }
  }
}
