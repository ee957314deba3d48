import FoundationEssentials
package import WidgetKitCore
import WidgetPlatform

/// What decides which widgets of the program are on the page at first.
package struct MachineFacts: Hashable, Sendable {
  /// Whether the page is opened in the working tree of a repository of git.
  package var isInRepository = false
  /// Whether the machine has a battery of its own, and not only that of a mouse.
  package var hasBattery = false
  /// Whether there is a notice, or ever was one.
  package var hasNotices = false

  /// A machine without any of it.
  package init() {}

  /// Looks at a machine.
  ///
  /// - Parameters:
  ///   - folder: The folder in which the page is opened.
  ///   - supplies: The folder of the kernel with a folder for each power supply.
  ///   - journal: The journal of the notices; nil for none.
  package init(
    folder: String,
    supplies: String = "/sys/class/power_supply",
    journal: String? = nil
  ) {
    isInRepository = Self.isRepository(folder)
    hasBattery = PowerSupply(folder: supplies).hasBattery
    hasNotices = journal.map(FileManager.default.fileExists(atPath:)) ?? false
  }

  /// Whether a widget with a condition is on the page at first.
  package func meets(_ condition: StartCondition) -> Bool {
    switch condition {
    case .always: true
    case .never: false
    case .repository: isInRepository
    case .battery: hasBattery
    case .notices: hasNotices
    }
  }

  /// Whether a folder, or one above it, has a repository.
  private static func isRepository(_ folder: String) -> Bool {
    var parts = folder.split(separator: "/")
    while true {
      let path = "/" + parts.joined(separator: "/")
      if FileManager.default.fileExists(atPath: "\(path)/.git") { return true }
      if parts.popLast() == nil { return false }
    }
  }
}
