import FoundationEssentials
import WidgetKitCore
import WidgetPlatform

/// What a card that another machine has published says besides its view.
struct PublishedCard: Equatable, Sendable {
  /// When it was made.
  private(set) var date: Date?
  /// The seconds after which something new is expected.
  private(set) var interval: Double?
  /// What is wrong with it on its machine.
  private(set) var message: SafeText?

  /// Reads a payload; each of these is nil where it does not say it.
  init(_ payload: [UInt8]) {
    guard let members = (try? JSONTree(payload))?.members else { return }
    let card = members["cards"]?.items?.first?.members ?? members
    date = card["date"]?.string.flatMap { InternetDate($0)?.date }
    interval = card["interval"]?.number.flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
    // The objects that others send may have a member of this name for something else.
    guard card["view"]?.members != nil || card["bundleIdentifier"]?.string != nil else { return }
    message = card["message"]?.string.flatMap { words in
      let plain = SafeText(String(words.prefix(500))).onOneLine
      return plain.isEmpty ? nil : plain
    }
  }
}
