extension RecurrenceRule {
  /// The end of rules whose dates never exist.
  private static let periodLimit = 50_000

  /// The days of an event that begins on `start`, up to `last`, in order.
  ///
  /// `until` is not applied, as it is a time; the caller knows the zones.
  func dates(from start: CivilDate, through last: CivilDate) -> [CivilDate] {
    var dates: [CivilDate] = []
    for period in 0..<Self.periodLimit {
      let candidates = candidates(inPeriod: period * interval, from: start)
      guard candidates.begin <= last else { break }
      for date in candidates.dates where date >= start {
        guard date <= last, dates.count < count ?? .max else { return dates }
        dates.append(date)
      }
    }
    return dates
  }

  /// The days of one period in order, and the first day of the period.
  private func candidates(
    inPeriod offset: Int,
    from start: CivilDate
  ) -> (begin: CivilDate, dates: [CivilDate]) {
    switch frequency {
    case .daily:
      let date = start.adding(days: offset)
      let isMeant = days.isEmpty || days.contains { $0.weekday == date.weekday }
      return (date, isMeant ? [date] : [])
    case .weekly:
      let lead = start.weekday.offset(inWeekFrom: weekStart)
      let week = start.adding(days: offset * 7 - lead)
      let weekdays = days.isEmpty ? [start.weekday] : days.map(\.weekday)
      let offsets = Set(weekdays.map { $0.offset(inWeekFrom: weekStart) }).sorted()
      return (week, offsets.map { week.adding(days: $0) })
    case .monthly:
      let month = start.firstOfMonth(adding: offset)
      return (month, monthDates(in: month, from: start))
    case .yearly:
      let year = start.year + offset
      // The 29th of February comes every four years, not on another day (RFC 5545 §3.3.10).
      let date = CivilDate(year: year, month: start.month, day: start.day)
      return (start.firstOfMonth(adding: offset * 12), date.map { [$0] } ?? [])
    }
  }

  private func monthDates(in month: CivilDate, from start: CivilDate) -> [CivilDate] {
    let length = month.monthLength
    var numbers = Set<Int>()
    if days.isEmpty {
      let wanted = monthDays.isEmpty ? [start.day] : monthDays
      numbers = Set(wanted.map { $0 > 0 ? $0 : length + 1 + $0 })
    } else {
      for day in days {
        let first = 1 + day.weekday.offset(inWeekFrom: month.weekday)
        let all = Array(stride(from: first, through: length, by: 7))
        switch day.ordinal {
        case nil: numbers.formUnion(all)
        case .some(let ordinal):
          let index = ordinal > 0 ? ordinal - 1 : all.count + ordinal
          if all.indices.contains(index) { numbers.insert(all[index]) }
        }
      }
      if !monthDays.isEmpty {
        numbers.formIntersection(monthDays.map { $0 > 0 ? $0 : length + 1 + $0 })
      }
    }
    return numbers.sorted().compactMap {
      CivilDate(year: month.year, month: month.month, day: $0)
    }
  }
}
