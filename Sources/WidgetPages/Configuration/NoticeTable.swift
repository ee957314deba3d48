import Notices
import WidgetKitCore

/// The settings of notices.
nonisolated enum NoticeTable {
  static let all: [Setting] = [
    Setting(
      "notices.days",
      .whole(1...3650),
      \.notices.days,
      .atOnce,
      "for how many days [notices](Notices.md) are kept; critical ones that wait are kept longer"
    ),
    Setting(
      "notices.count",
      .whole(10...100_000),
      \.notices.count,
      .atOnce,
      "how many notices are kept"
    ),
    Setting(
      "notices.private",
      .list(of: .text(upTo: 200), "names", from: 0, upTo: 1_000),
      \.notices.privateApplications,
      .atOnce,
      "applications of whose notices neither title nor body is stored: `[\"Signal\"]`. It applies to new notices only",
      part: .element
    ),
    Setting(
      "notices.hookSeconds",
      .seconds(1...86_400),
      \.notices.hookTime,
      .nextStart,
      "how long a command takes at least for [the hook of the shell](Notices.md#every-long-command) to post its end"
    ),
    Setting(
      "notices.desktop",
      .truth,
      \.notices.includesDesktop,
      .nextStart,
      "whether [notices of the desktop](Notices.md#from-the-desktop) are stored while a page is open"
    ),
    Setting(
      "notices.own",
      .truth,
      \.notices.ownsDesktop,
      .nextStart,
      "whether notices of the desktop are taken where no other program takes them, as on a server"
    ),
    Setting(
      "notices.hosts",
      .truth,
      \.notices.includesHosts,
      .nextStart,
      "whether notices of [other machines](Notices.md#from-other-machines) that a page has widgets or scripts of are stored while it is open"
    ),
    Setting(
      "notices.deliver",
      .list(of: .choice, "ways", from: 0, upTo: 3),
      \.notices.ways,
      .atOnce,
      "the ways in which you are [told of a notice](Notices.md#how-you-are-told); the first one that works counts, and without any you are not told",
      part: .element
    ),
    Setting(
      "notices.terminal",
      .choice,
      \.notices.terminal,
      .atOnce,
      "the sequence with which your terminal shows notifications, where the program does not know it; `none` for a terminal that shows none"
    ),
    Setting(
      "notices.rules",
      .noticeRules,
      \.notices.rules,
      .atOnce,
      "what is done with some notices: `[{ app: \"Mail\", title: \"*newsletter*\", then: \"earlier\" }]`; see [Rules](Notices.md#rules)",
      part: .entry
    ),
  ]
}
