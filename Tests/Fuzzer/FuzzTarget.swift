import CalendarFormats
import FoundationEssentials
import JSONQueries
import TerminalInput
import WidgetCards
import WidgetExtensions
import WidgetKitCore
import WidgetPages
import WidgetPlatform
import WidgetScripts

@testable import PageRecords

/// A part of the program that reads foreign bytes.
enum FuzzTarget: String, CaseIterable {
  /// A stream that is split into lines.
  case framing
  /// A line that is read as a message, and decoded as every possible type.
  case message
  /// A view that is decoded and laid out.
  case view
  /// A timeline.
  case timeline
  /// A snapshot's file.
  case snapshot
  /// A history of updates, and when the next one is due by it.
  case history
  /// The runs of a widget.
  case runs
  /// The record of a page.
  case page
  /// The user's configuration.
  case configuration
  /// A bundle's property list.
  case plist
  /// Text with escape sequences.
  case ansi
  /// The file of a picture.
  case image
  /// A query in the first line, for the JSON in the rest.
  case query
  /// A regular expression in the first line, for the text in the rest.
  case expression
  /// What a terminal sends.
  case input
  /// A calendar file, and its entries on some days.
  case calendar
  /// An archive of a registry.
  case archive
  /// An entry or the list of a registry.
  case entry

  /// Passes the bytes to the program; returns unless it traps.
  func run(_ bytes: [UInt8], scratch: String) {
    switch self {
    case .framing: Self.frame(bytes)
    case .message: Self.read(bytes)
    case .view: Self.layOut(bytes)
    case .timeline: Self.readTimeline(bytes)
    case .history: Self.schedule(bytes)
    case .runs: Self.readRuns(bytes)
    case .page: _ = PageBook.isRecord(bytes)
    case .configuration: Self.configure(bytes)
    case .snapshot: Self.keep(bytes)
    case .plist: Self.readBundle(bytes, scratch)
    case .ansi: Self.readText(bytes)
    case .image: Self.readImage(bytes)
    case .query: Self.search(bytes)
    case .expression: Self.match(bytes)
    case .input: Self.readKeys(bytes)
    case .calendar: Self.listEntries(bytes)
    case .archive: Self.unpack(bytes, scratch)
    case .entry: Self.readEntry(bytes)
    }
  }

  /// Splits the bytes into pieces, with a small and with the default limit.
  private static func frame(_ bytes: [UInt8]) {
    for limit in [16, LineFramer.defaultByteLimit] {
      var framer = LineFramer(byteLimit: limit)
      var rest = bytes[...]
      while let first = rest.first {
        framer.append(rest.prefix(Int(first) % 31 + 1))
        rest = rest.dropFirst(Int(first) % 31 + 1)
        do throws(LineTooLong) {
          while let line = try framer.next() {
            precondition(line.count <= limit && !line.contains(0x0A), "a line that is none")
          }
        } catch { break }
      }
    }
  }

  /// Reads a snapshot, and does with its dates what a card does.
  private static func keep(_ bytes: [UInt8]) {
    guard let snapshot = SnapshotStore.decode(bytes) else { return }
    let dates =
      [snapshot.made, snapshot.contentDate] + (snapshot.timeline?.entries ?? []).map(\.date)
    for date in dates {
      _ = Duration.seconds(date.timeIntervalSinceNow).components
      _ = Int(date.timeIntervalSinceNow.rounded())
    }
    let written = try? JSONEncoder().encode(snapshot)
    let again = written.flatMap { SnapshotStore.decode(Array($0)) }
    precondition(again?.view == snapshot.view, "a view that is not read back")
    precondition(again?.timeline == snapshot.timeline, "a timeline that is not read back")
  }

  private static func read(_ bytes: [UInt8]) {
    let line: IncomingLine
    do throws(WireError) {
      line = try IncomingLine(bytes[...])
    } catch {
      // The answer goes back to the widget, so it must be a line itself.
      precondition(OutgoingLine.error(error, id: nil).count { $0 == 0x0A } == 1)
      return
    }
    func decode(_ type: (some Decodable).Type) { _ = try? line.decode(type) }
    decode(InitializeRequest.Reply.self)
    decode(WidgetPerformUpdateRequest.Reply.self)
    decode(ViewWillTransitionToSizeRequest.Reply.self)
    decode(PerformActionRequest.Reply.self)
    decode(ContentUpdate.self)
    decode(EdgeInsets.self)
    decode(SetViewNotification.self)
    decode(SetPreferredContentSizeNotification.self)
    decode(LogNotification.self)
    decode(OpenURLRequest.self)
    decode(BeginExpiringActivityRequest.self)
    decode(WireError.self)
  }

  private static func readTimeline(_ bytes: [UInt8]) {
    guard let timeline = try? JSONDecoder().decode(Timeline.self, from: Data(bytes)) else { return }
    // What can be read can be kept.
    precondition((try? JSONEncoder().encode(timeline)) != nil, "a timeline that cannot be kept")
  }

  /// When the next update is due, and how old that is, for every kind of card and moment.
  private static func schedule(_ bytes: [UInt8]) {
    guard let history = RefreshHistory.decode(bytes) else { return }
    var schedule = RefreshPolicy()
    for seconds in [0, 800_000_000, StoredNumber.dates.upperBound.timeIntervalSinceReferenceDate] {
      let now = Date(timeIntervalSinceReferenceDate: seconds)
      for isVisible in [true, false] {
        for isDeveloper in [true, false] {
          schedule.isDeveloper = isDeveloper
          let due = schedule.nextUpdate(history, of: "a.b", isVisible: isVisible, now: now)
          let wait = Duration.saturated(seconds: due?.timeIntervalSince(now) ?? 0)
          _ = ContinuousClock.now + wait
          let wish = history.wish.map { Duration.saturated(seconds: $0) }
          _ = schedule.isStale(age: wait, wish: wish, isVisible: isVisible)
          _ = schedule.pause(wish: wish, failures: history.failures, isVisible: isVisible)
        }
      }
    }
    precondition((try? JSONEncoder().encode(history)) != nil, "a history that cannot be kept")
  }

  /// Reads the size of a picture, and looks for its end.
  private static func readImage(_ bytes: [UInt8]) {
    if let header = ImageHeader(bytes) {
      precondition(header.width > 0 && header.height > 0, "a picture without a size")
      precondition((1...8).contains(header.orientation), "an unknown orientation")
      let size = ImageDrawing.size(
        of: Size(columns: header.width, rows: header.height),
        width: 80,
        rows: nil
      )
      precondition(size.columns <= 80 && size.rows <= ImageDrawing.largest.rows, "too large")
      precondition(header.pixels > 0 && !header.storedSize.isEmpty, "a picture without pixels")
    }
    for format in [ImageHeader.Format.png, .jpeg, .gif, .webp] {
      _ = ImageHeader.isWhole(bytes, format)
    }
  }

  /// The first line, and the rest.
  private static func divided(_ bytes: [UInt8]) -> (first: String, rest: [UInt8]) {
    let first = bytes.prefix { $0 != UInt8(ascii: "\n") }
    return (String(decoding: first, as: UTF8.self), Array(bytes.dropFirst(first.count + 1)))
  }

  /// The steps of a query; all inputs together are to take seconds.
  private static let steps = 100_000

  /// Finds the values of a query, however many steps that takes.
  private static func search(_ bytes: [UInt8]) {
    let (text, rest) = divided(bytes)
    do throws(JSONPath.Failure) {
      let path = try JSONPath(text)
      guard let tree = try? JSONTree(rest) else { return }
      var budget = JSONPathBudget(steps: steps)
      guard let found = try? path.values(in: tree, budget: &budget) else { return }
      precondition(found.count <= steps, "more values than steps")
      let first = try? path.values(in: tree, limit: 1, budget: &budget)
      precondition(first == nil || first == Array(found.prefix(1)), "another first value")
    } catch {
      precondition(error.offset <= text.unicodeScalars.count, "a fault behind the text")
    }
  }

  /// Looks for a regular expression in a text: what matches the whole is also found.
  private static func match(_ bytes: [UInt8]) {
    let (pattern, rest) = divided(bytes)
    let text = String(decoding: rest, as: UTF8.self)
    var budget = JSONPathBudget(steps: steps)
    guard let isWhole = try? budget.matches(text, pattern, isWhole: true),
      let isFound = try? budget.matches(text, pattern, isWhole: false)
    else { return }
    precondition(isFound || !isWhole, "a whole text that is not found")
  }

  /// Reads keys in portions: whatever was sent, nothing is left after some time, and the next key is read.
  private static func readKeys(_ bytes: [UInt8]) {
    let start = ContinuousClock.now
    for size in [1, 7, 4_096] {
      var parser = InputParser()
      var rest = bytes[...]
      while !rest.isEmpty {
        for event in parser.take(Array(rest.prefix(size)), at: start) {
          guard case .key(let key) = event, case .character(let scalar) = key.code else { continue }
          precondition(
            scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value),
            "a control character that is typed"
          )
        }
        precondition(parser.pendingCount < 8_192, "more is kept than any sequence has")
        rest = rest.dropFirst(size)
      }
      _ = parser.expire(at: start + .seconds(60))
      precondition(parser.deadline == nil && parser.pendingCount == 0, "a sequence without an end")
      let key = parser.take([0x71], at: start + .seconds(61))
      precondition(key == [.key(KeyStroke(.character("q")))], "a key that is lost")
    }
  }

  private static func readRuns(_ bytes: [UInt8]) {
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      guard let run = RunRecord.decode(line) else { continue }
      _ = run.results
      _ = run.start.formatted(.iso8601)
      _ = run.bytesReceived + run.bytesSent + run.milliseconds
    }
  }

  private static func configure(_ bytes: [UInt8]) {
    var configuration = CenterConfiguration(environment: [:], executablePath: "")
    let user = UserConfiguration(bytes: bytes, path: "config.json")
    user.apply(to: &configuration)
    for problem in user.problems {
      precondition(isHarmless(problem.string), "a problem with a control character")
    }
  }

  private static func layOut(_ bytes: [UInt8]) {
    let decoder = JSONDecoder()
    decoder.userInfo[.viewBudget] = ViewBudget(.standard)
    guard let view = try? decoder.decode(ViewNode.self, from: Data(bytes)) else { return }
    let environment = LayoutEnvironment(now: Date(timeIntervalSince1970: 1_800_000_000))
    for width in [0, 1, 7, 40, 120, 500] {
      for height in [nil, 0, 3, 100] {
        let picture = ViewLayout.layOut(view, width: width, height: height, in: environment)
        for run in picture.runs {
          let cells = run.cells.reduce(0) { $0 + $1.glyph.width }
          precondition(run.position.column >= 0, "a run left of its card")
          precondition(run.position.column + cells <= width, "a run beyond its card")
        }
      }
    }
    // What can be read can be kept, and read again as the same.
    guard let kept = try? JSONEncoder().encode(view),
      let again = try? decoder.decode(ViewNode.self, from: kept)
    else { preconditionFailure("a view that cannot be kept") }
    precondition(again == view, "a view that is another one when it is read again")
  }

  private static func readBundle(_ bytes: [UInt8], _ scratch: String) {
    let bundle = "\(scratch)/Fuzz.widget"
    if !FileManager.default.fileExists(atPath: "\(bundle)/run") {
      try? FileManager.default.createDirectory(
        atPath: bundle,
        withIntermediateDirectories: true
      )
      try? Data("#!/bin/sh\n".utf8).write(to: URL(filePath: "\(bundle)/run"))
    }
    try? Data(bytes).write(to: URL(filePath: "\(bundle)/Info.plist"))
    do throws(BundleError) {
      _ = try WidgetBundle(path: bundle)
    } catch {
      precondition(isHarmless(error.description), "an error with a control character")
    }
  }

  private static func readText(_ bytes: [UInt8]) {
    let text = SafeText(String(decoding: bytes, as: UTF8.self))
    precondition(isHarmless(text.string), "a text with a control character")
    guard let json = try? JSONEncoder().encode(String(decoding: bytes, as: UTF8.self)) else {
      return
    }
    layOut(Array(#"{"type":"ansi","text":"#.utf8) + json + [UInt8(ascii: "}")])
  }

  /// Whether nothing in a text acts on a terminal.
  private static func isHarmless(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy {
      $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) || $0 == "\n"
    }
  }
}
