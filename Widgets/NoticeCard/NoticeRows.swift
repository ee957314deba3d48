import FoundationEssentials
import WidgetKitCore

/// The rows of the card.
struct NoticeRows {
  /// Critical ones that wait, the others that wait, and earlier ones; each the newest first.
  var notices: [UserNotice]
  /// The notices of which the whole text is shown.
  var opened: Set<String> = []
  /// What is looked for; all are shown if it is empty.
  var search = ""
  /// The columns of the body.
  var columns = 60
  /// The present time.
  var now: Date
  /// The zone of the user, a tz database name.
  var zone = "UTC"

  /// The rows of a compact card.
  private static let compactRows = 4
  /// The most notices below the rows of a compact card, which the page does not draw but finds.
  private static let furtherLimit = 50
  /// The rows of a text that is not opened.
  private static let bodyRows = 2
  /// The most columns of the name of an application beside its notices.
  private static let longestName = 14
  /// The columns from which on there is room for a bar.
  private static let barColumns = 36
  /// From how many notices on there may be more than the host has listed.
  private static let longAnswer = 100
  /// The columns of a button beside its name, with the space before it.
  private static let buttonFrame = 5
  /// The columns of the mark and the age of a notice.
  private static let ageColumns = 14
  /// The most buttons of a notice.
  private static let buttonLimit = 3

  private var waiting: [UserNotice] { notices.filter { $0.state == .waiting } }
  private var earlier: [UserNotice] { notices.filter { $0.state == .earlier } }

  /// Notices by application, in the order of the first of each.
  static func groups(_ notices: [UserNotice]) -> [(name: String, notices: [UserNotice])] {
    var groups: [(name: String, notices: [UserNotice])] = []
    for notice in notices {
      let name = notice.sender
      if let index = groups.firstIndex(where: { $0.name == name }) {
        groups[index].notices.append(notice)
      } else {
        groups.append((name, [notice]))
      }
    }
    return groups
  }

  // MARK: - The compact card

  /// Those that wait, and below them the last earlier ones: four rows, and below them the notices for which they have
  /// no room.
  @ViewBuilder var compact: Group {
    // A critical one is never behind a normal one of another application.
    let waiting = [
      waiting.filter { $0.urgency == .critical }, waiting.filter { $0.urgency != .critical },
    ]
    .flatMap { Self.groups($0).flatMap(\.notices) }
    let isCut = waiting.count > Self.compactRows
    let shown = Array(waiting.prefix(isCut ? Self.compactRows - 1 : Self.compactRows))
    let further = Array(waiting.dropFirst(shown.count).prefix(Self.furtherLimit))
    let head = waiting.isEmpty ? 1 : 0
    let past = earlier.prefix(max(0, Self.compactRows - shown.count - head))
    let used = shown.count + head + past.count + (isCut ? 1 : 0)
    let bodies = bodies(shown, Self.compactRows - used)
    let width = nameColumns(shown + past)
    VStack {
      if waiting.isEmpty {
        Text(notices.isEmpty ? "No notices" : "Nothing waits").foregroundStyle(.secondary)
      }
      if !shown.isEmpty { list("notices", shown, width, bodies) }
      if isCut {
        Text("  \(atLeast)\(waiting.count - shown.count) more wait").foregroundStyle(.secondary)
        list("further", further, width, [:])
      } else {
        for notice in past { earlierRow(notice, width: width, isDated: false) }
      }
    }
    .privacySensitive()
  }

  /// Notices that wait, by application.
  private func list(
    _ id: String,
    _ notices: [UserNotice],
    _ width: Int,
    _ bodies: [String: Int]
  ) -> List {
    List(id, allowsAdding: false) {
      for (index, notice) in notices.enumerated() {
        let isSame = index > 0 && notices[index - 1].sender == notice.sender
        Row(notice.id, action: NoticePress(notice).text, canMove: false) {
          VStack {
            row(notice, name: isSame ? "" : notice.sender, nameColumns: width)
            let isOpened = opened.contains(notice.id)
            if let body = notice.body, isOpened || bodies[notice.id] != nil {
              Text(shown(body, isOpened: isOpened)).foregroundStyle(.secondary)
                .lineLimit(isOpened ? nil : bodies[notice.id])
                .padding(.leading, width > 0 ? width + 3 : 2)
            }
          }
        }
      }
    }
  }

  private func shown(_ body: String, isOpened: Bool) -> String {
    NoticeBody(text: body, isOpened: isOpened, openedCount: opened.count).shown
  }

  /// How many rows of the text of each notice are shown where rows are left.
  private func bodies(_ notices: [UserNotice], _ rows: Int) -> [String: Int] {
    var left = rows
    var shown: [String: Int] = [:]
    for notice in notices where left > 0 {
      guard let body = notice.body else { continue }
      let lines = body.split(separator: "\n").count { !$0.isEmpty }
      shown[notice.id] = min(left, max(1, lines))
      left -= shown[notice.id] ?? 0
    }
    return shown
  }

  /// A long answer without earlier ones need not have all that wait.
  private var atLeast: String {
    earlier.isEmpty && notices.count >= Self.longAnswer ? "at least " : ""
  }

  private func nameColumns(_ notices: [UserNotice]) -> Int {
    let longest = notices.map(\.sender.count).max() ?? 0
    // Beside a long name a title would have no room.
    return min(longest, Self.longestName, max(0, columns / 4))
  }

  /// A notice that waits, on one row.
  @ViewBuilder private func row(
    _ notice: UserNotice,
    name: String?,
    nameColumns: Int,
    hasButtons: Bool = false
  ) -> Group {
    HStack {
      mark(notice)
      if let name, nameColumns > 0 {
        Text(name).foregroundStyle(.secondary).lineLimit(1).frame(width: nameColumns)
      }
      title(notice)
      Spacer(minLength: 0)
      if hasButtons { buttons(notice) }
      if let progress = notice.progress { bar(progress) }
      Text(notice.date, style: .relative).foregroundStyle(.secondary).lineLimit(1)
        .layoutPriority(1)
    }
  }

  @ViewBuilder private func mark(_ notice: UserNotice) -> Group {
    switch notice.urgency {
    case .critical: Text("!").bold().foregroundStyle(.red)
    case .normal: Text("•").foregroundStyle(.accent)
    case .low: Text("•").foregroundStyle(.secondary)
    }
  }

  @ViewBuilder private func title(_ notice: UserNotice) -> Group {
    if notice.urgency == .critical {
      Text(notice.title).bold().foregroundStyle(.red).lineLimit(1)
    } else {
      Text(notice.title).lineLimit(1)
    }
  }

  @ViewBuilder private func bar(_ progress: Int) -> Group {
    if columns < Self.barColumns {
      Text("\(progress) %").foregroundStyle(.secondary).lineLimit(1).layoutPriority(1)
    } else {
      Gauge(value: Double(progress), in: 0...100, valueLabel: "\(progress) %")
        .frame(width: columns < 50 ? 11 : 17)
        .layoutPriority(1)
    }
  }

  // MARK: - The expanded card

  /// All of them: those that wait below the names of their applications, and the earlier ones by day.
  @ViewBuilder var expanded: Group {
    let words = search.lowercased().split(separator: " ")
    let waiting = waiting.filter { $0.has(words) }
    let earlier = earlier.filter { $0.has(words) }
    VStack {
      if waiting.isEmpty, words.isEmpty {
        Text("Nothing waits").foregroundStyle(.secondary)
      }
      for (name, group) in Self.groups(waiting) {
        Text(name).bold().lineLimit(1)
        List("of \(name)", allowsAdding: false) {
          for notice in group {
            Row(notice.id, action: NoticePress(notice).text, canMove: false) { longRow(notice) }
          }
        }
      }
      Text("")
      Field("find", text: search, placeholder: "Find in notices")
      if waiting.isEmpty, earlier.isEmpty, !words.isEmpty {
        Text("No notice has “\(search)”").foregroundStyle(.secondary)
      }
      let width = nameColumns(earlier)
      for day in days(earlier) {
        heading(day).foregroundStyle(.secondary).bold().padding(.top, 1)
        for notice in day.notices { earlierRow(notice, width: width, isDated: true) }
      }
    }
    .privacySensitive()
  }

  @ViewBuilder private func longRow(_ notice: UserNotice) -> Group {
    VStack {
      let isBeside = hasButtonsBeside(notice)
      row(notice, name: nil, nameColumns: 0, hasButtons: isBeside)
      if let body = notice.body {
        let isOpened = opened.contains(notice.id)
        Text(shown(body, isOpened: isOpened)).foregroundStyle(.secondary)
          .lineLimit(isOpened ? nil : Self.bodyRows)
          .padding(.leading, 2)
      }
      if !isBeside, notice.actions?.isEmpty == false {
        buttons(notice).padding(.leading, 2)
      }
    }
  }

  private func buttons(_ notice: UserNotice) -> HStack {
    HStack {
      for action in (notice.actions ?? []).prefix(Self.buttonLimit) {
        Button(action.name, action: NoticePress(notice, action).text)
      }
    }
  }

  /// Whether there is room for the buttons of a notice beside its title.
  private func hasButtonsBeside(_ notice: UserNotice) -> Bool {
    let actions = (notice.actions ?? []).prefix(Self.buttonLimit)
    guard !actions.isEmpty else { return false }
    let buttons = actions.reduce(0) { $0 + $1.name.count + Self.buttonFrame }
    let progress = notice.progress == nil ? 0 : Self.barColumns / 2
    return notice.title.count + buttons + progress + Self.ageColumns <= columns
  }

  /// A notice that no longer waits, on one row.
  @ViewBuilder private func earlierRow(_ notice: UserNotice, width: Int, isDated: Bool) -> Group {
    let row = HStack {
      if isDated {
        Text(time(notice)).foregroundStyle(.secondary)
      } else {
        Text(" ")
      }
      if width > 0 {
        Text(notice.sender).foregroundStyle(.tertiary).lineLimit(1).frame(width: width)
      }
      Text(notice.title).foregroundStyle(.secondary).lineLimit(1)
      Spacer(minLength: 0)
      if !isDated {
        Text(notice.date, style: .relative).foregroundStyle(.tertiary).lineLimit(1)
          .layoutPriority(1)
      }
    }
    if isDated, notice.actions?.isEmpty == false {
      row.action(NoticePress(notice).text)
    } else {
      row
    }
  }

  // MARK: - Days

  /// The notices of a day.
  struct Day: Equatable {
    /// How many days ago it was.
    var age: Int
    var notices: [UserNotice]
  }

  /// Notices by the day on which they were posted.
  func days(_ notices: [UserNotice]) -> [Day] {
    var days: [Day] = []
    let today = day(now)
    for notice in notices {
      let age = today - day(notice.date)
      if days.last?.age == age {
        days[days.count - 1].notices.append(notice)
      } else {
        days.append(Day(age: age, notices: [notice]))
      }
    }
    return days
  }

  private func heading(_ day: Day) -> Text {
    switch day.age {
    case 0: Text("Earlier today")
    case 1: Text("Yesterday")
    default: Text(day.notices.first?.date ?? now, style: .date)
    }
  }

  private func local(_ date: Date) -> LocalTime? {
    LocalTime(date, in: zone) ?? LocalTime(date, in: "UTC")
  }

  /// The days from 1970 to the day of a date.
  private func day(_ date: Date) -> Int {
    local(date).flatMap { CivilDate($0.year, $0.month, $0.day) }?.daysSince1970 ?? 0
  }

  private func time(_ notice: UserNotice) -> String {
    guard let time = local(notice.date) else { return "" }
    return "\(time.hour < 10 ? "0" : "")\(time.hour):\(time.minute < 10 ? "0" : "")\(time.minute)"
  }
}

extension UserNotice {
  /// The application, and the machine if it is another one.
  var sender: String { host.map { "\(application) · \($0)" } ?? application }

  /// Whether it has all of some words in lower case.
  func has(_ words: [Substring]) -> Bool {
    guard !words.isEmpty else { return true }
    let text = "\(sender)\n\(title)\n\(body ?? "")".lowercased()
    return words.allSatisfy { text.contains($0) }
  }
}
