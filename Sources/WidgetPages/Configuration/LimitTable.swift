import WidgetKitCore
import WidgetPlatform
import WidgetSessions

/// The settings of what widgets may send, use and keep waiting.
nonisolated enum LimitTable {
  /// All of them: first those of messages and views, then those of memory.
  static let all: [Setting] = [
    Setting(
      "limits.lineBytes",
      .whole(1024...16 << 20),
      \.limits.lineBytes,
      .nextStart,
      "one message; a longer one ends the widget: “too large”"
    ),
    Setting(
      "limits.jsonDepth",
      .whole(8...256),
      \.limits.jsonDepth,
      .nextStart,
      "nesting of a message"
    ),
    Setting(
      "limits.requestBytes",
      .whole(1024...1 << 40),
      \.limits.requestBytes,
      .nextStart,
      "the content of a share or an action, and what an action returns"
    ),
    Setting(
      "limits.viewDepth",
      .whole(4...64),
      \.limits.view.depth,
      .nextStart,
      "nesting of the nodes of a view"
    ),
    Setting(
      "limits.viewNodes",
      .whole(16...65_536),
      \.limits.view.nodes,
      .nextStart,
      "nodes and text spans of a view"
    ),
    Setting(
      "limits.gridRows",
      .whole(1...10_000),
      \.limits.view.gridRows,
      .nextStart,
      "rows of a grid"
    ),
    Setting(
      "limits.gridColumns",
      .whole(1...1_000),
      \.limits.view.gridColumns,
      .nextStart,
      "columns of a grid"
    ),
    Setting(
      "limits.textBytes",
      .whole(64...1 << 20),
      \.limits.view.textBytes,
      .nextStart,
      "one text"
    ),
    Setting(
      "limits.inputBytesPerSecond",
      .number(1024...1e9),
      \.limits.inputBytesPerSecond,
      .nextStart,
      "average input from a widget; above it, reading pauses"
    ),
    Setting(
      "limits.inputBurstBytes",
      .number(1024...1e9),
      \.limits.inputBurstBytes,
      .nextStart,
      "input from a widget at once"
    ),
    Setting(
      "limits.inputEnduranceSeconds",
      .seconds(1...600),
      \.limits.inputEndurance,
      .nextStart,
      "how long a widget may send more before it is ended: “too much output”"
    ),
    Setting(
      "limits.picturesPerSecond",
      .number(1...120),
      \.limits.picturesPerSecond,
      .nextStart,
      "views that are shown per second; the newest is shown"
    ),
    Setting(
      "limits.queuedMessages",
      .whole(4...10_000),
      \.limits.queuedMessages,
      .nextStart,
      "messages that wait for a widget to read them; above it, the widget is ended: “not responding”"
    ),
    Setting(
      "limits.queuedBytes",
      .whole(4096...64 << 20),
      \.limits.queuedBytes,
      .nextStart,
      "bytes that wait for a widget to read them; likewise"
    ),
    Setting(
      "limits.openRequests",
      .whole(1...1_000),
      \.limits.openRequests,
      .nextStart,
      "unanswered requests of a widget"
    ),
    Setting(
      "limits.protocolErrorsPerMinute",
      .whole(0...1_000),
      \.policy.protocolErrorsPerMinute,
      .nextStart,
      "invalid messages per minute; above it, the widget is ended: “too many invalid messages”"
    ),
    Setting(
      "limits.bodyRows",
      .whole(4...1_000),
      \.limits.bodyRows,
      .nextStart,
      "rows of a card"
    ),
    Setting(
      "limits.openPresses",
      .whole(1...100),
      \.policy.openPresses,
      .nextStart,
      "presses that wait for the live view or for an answer"
    ),
    Setting(
      "limits.openActivities",
      .whole(0...100),
      \.policy.openActivities,
      .nextStart,
      "open expiring activities of a widget"
    ),
    Setting(
      "limits.urlBytes",
      .whole(64...65_536),
      \.limits.urlBytes,
      .atOnce,
      "a URL; a longer one is not opened"
    ),
    Setting(
      "limits.urlHops",
      .whole(1...100),
      \.limits.urlHops,
      .atOnce,
      "how many handlers in sequence may open another URL"
    ),
    Setting(
      "limits.openURLSeconds",
      .seconds(0...3600),
      \.limits.openURLPause,
      .atOnce,
      "time between two URLs that a widget opens"
    ),
    Setting(
      "limits.heightChangeSeconds",
      .seconds(0...60),
      \.limits.heightPause,
      .nextStart,
      "time between two changes of a card's height without user input; the latest request is granted then"
    ),
    Setting(
      "limits.processes",
      .whole(1...10_000),
      \.limits.resources.processes,
      .nextStart,
      "processes of a widget; above it, the widget is ended: “too many processes”"
    ),
    Setting(
      "limits.containerBytes",
      .whole(4096...1 << 40),
      \.limits.resources.containerBytes,
      .nextStart,
      "disk space of a widget's own folders, with files that it has deleted there and still uses; above it, with more than 100,000 files, or with more than 64 nested folders, the widget is ended: “storage full”"
    ),
    Setting(
      "limits.widgets",
      .whole(1...10_000),
      \.limits.bundles.widgets,
      .nextStart,
      "widgets that are used; further ones are counted in one message"
    ),
    Setting(
      "limits.bundles",
      .whole(1...100_000),
      \.limits.bundles.bundles,
      .nextStart,
      "bundles that are read, valid or not"
    ),
    Setting(
      "limits.propertyListBytes",
      .whole(1024...16 << 20),
      \.limits.bundles.propertyListBytes,
      .nextStart,
      "the Info.plist of a bundle"
    ),
    Setting(
      "limits.imageBytes",
      .whole(1024...ImageLimits.largestFileBytes),
      \.limits.images.fileBytes,
      .nextStart,
      "the file of a picture; above it, its “alt” is shown"
    ),
    Setting(
      "limits.imagePixels",
      .whole(1...ImageLimits.mostPixels),
      \.limits.images.pixels,
      .nextStart,
      "pixels of a picture; above it, its “alt” is shown"
    ),
    Setting(
      "limits.imagesPerView",
      .whole(0...1_000),
      \.limits.images.perView,
      .nextStart,
      "pictures of one view; of further ones the “alt” is shown"
    ),
    Setting(
      "limits.drawnImageBytes",
      .whole(65_536...1 << 30),
      \.limits.images.drawnBytes,
      .nextStart,
      "memory for all pictures of the page; of those that find no room the “alt” is shown"
    ),
    Setting(
      "limits.errorRingBytes",
      .whole(1024...16 << 20),
      \.limits.errorRingBytes,
      .nextStart,
      "standard error that is kept in memory"
    ),
    Setting(
      "limits.logBytes",
      .whole(4096...1 << 30),
      \.limits.logBytes,
      .nextStart,
      "a log file; rotated once"
    ),
    Setting(
      "limits.logLinesPerSecond",
      .whole(1...10_000),
      \.limits.logLinesPerSecond,
      .nextStart,
      "lines of a log; further ones are dropped and counted"
    ),
    Setting(
      "memory.softBytes",
      .whole(1 << 20...64 << 30),
      \.limits.resources.memory.softBytes,
      .nextStart,
      "memory of a widget; above it, the widget is warned"
    ),
    Setting(
      "memory.hardBytes",
      .whole(1 << 20...64 << 30),
      \.limits.resources.memory.hardBytes,
      .nextStart,
      "memory of a widget; above it, the widget is ended: “Unable to Load (memory)”"
    ),
    Setting(
      "memory.pageBytes",
      .whole(1 << 20...256 << 30),
      \.limits.resources.memory.pageBytes,
      .nextStart,
      "memory of all widgets; above it, suspended widgets are ended"
    ),
    Setting(
      "memory.addressSpaceBytes",
      .whole(32 << 20...1 << 40),
      \.limits.process.memoryBytes,
      .nextStart,
      "address space of a widget, enforced by the kernel"
    ),
    Setting(
      "memory.fileBytes",
      .whole(4096...1 << 40),
      \.limits.process.fileBytes,
      .nextStart,
      "the largest file that a widget may write"
    ),
    Setting(
      "memory.descriptors",
      .whole(16...65_536),
      \.limits.process.descriptors,
      .nextStart,
      "open files of a widget"
    ),
  ]
}
