extension CronSchedule.Line {
  typealias Fault = CronSchedule.Fault

  /// Lines with a name of their own.
  private static let names = [
    "@hourly": "0 * * * *", "@daily": "0 0 * * *", "@midnight": "0 0 * * *",
    "@weekly": "0 0 * * 0", "@monthly": "0 0 1 * *", "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
  ]

  /// A field of a line.
  private struct Field {
    var name: String
    var range: ClosedRange<Int>
    /// Names of its numbers, from the first one on.
    var names: [String] = []
  }

  private static let fields = [
    Field(name: "minutes", range: 0...59), Field(name: "hours", range: 0...23),
    Field(name: "days of the month", range: 1...31),
    Field(
      name: "months",
      range: 1...12,
      names: [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
      ]
    ),
    // Sunday is 7 too.
    Field(
      name: "days of the week",
      range: 0...7,
      names: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
    ),
  ]

  init(_ text: Substring) throws(Fault) {
    var words = text.split(whereSeparator: \.isWhitespace)
    if words.count == 1, let line = Self.names[words[0].lowercased()] {
      words = line.split(separator: " ")
    }
    guard words.count == Self.fields.count else {
      throw Fault(words: "five fields: minutes, hours, days, months and days of the week")
    }
    var sets: [Set<Int>] = []
    for (word, field) in zip(words, Self.fields) { sets.append(try Self.numbers(word, field)) }
    minutes = sets[0]
    hours = sets[1]
    days = sets[2]
    months = sets[3]
    weekdays = Set(sets[4].map { $0 % 7 })
    takesEitherDay = !words[2].hasPrefix("*") && !words[4].hasPrefix("*")
    // A leap year has the longest February.
    let longest = months.map { CivilDate.days(inMonth: $0, of: 2000) }.max() ?? 0
    guard takesEitherDay || days.contains(where: { $0 <= longest }) else {
      throw Fault(words: "a day that one of its months has")
    }
  }

  private static func numbers(_ word: Substring, _ field: Field) throws(Fault) -> Set<Int> {
    var numbers: Set<Int> = []
    for part in word.split(separator: ",", omittingEmptySubsequences: false) {
      numbers.formUnion(try Self.part(part, field))
    }
    return numbers
  }

  /// Reads `*`, `5`, `5-9`, and the same with a step behind `/`.
  private static func part(_ text: Substring, _ field: Field) throws(Fault) -> [Int] {
    let bounds = field.range
    let limits = "\(bounds.lowerBound) to \(bounds.upperBound)"
    let fault = Fault(words: "\(field.name) from \(limits), such as 1,3 or 2-5 or */2")
    let halves = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let base = halves.first else { throw fault }
    var step = 1
    if halves.count == 2 {
      guard let number = Int(halves[1]), (1...bounds.upperBound).contains(number) else {
        throw fault
      }
      step = number
    }
    var range = bounds
    if base != "*" {
      let ends = base.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
      guard let first = number(ends[0], field) else { throw fault }
      var last = halves.count == 2 ? bounds.upperBound : first
      if ends.count == 2 {
        guard let number = number(ends[1], field) else { throw fault }
        // A week can end with Sunday: fri-sun.
        last = number == 0 && first > 0 && bounds.upperBound == 7 ? 7 : number
      }
      guard first <= last else { throw fault }
      range = first...last
    }
    return Array(stride(from: range.lowerBound, through: range.upperBound, by: step))
  }

  /// The number of a text or a name; nil for what the field cannot have.
  private static func number(_ text: Substring, _ field: Field) -> Int? {
    if let place = field.names.firstIndex(of: text.lowercased()) {
      return field.range.lowerBound + place
    }
    guard !text.isEmpty, text.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(text),
      field.range.contains(number)
    else { return nil }
    return number
  }
}
