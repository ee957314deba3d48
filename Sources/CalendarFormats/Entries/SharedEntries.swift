/// The entries of several files, of which some are versions of one.
///
/// An identifier is unique in the world (RFC 5545 §3.8.4.7), so an entry that is in two files, such as an
/// invitation in the calendars of two people, or an older export beside a newer one, is shown once: as its
/// newest version says, whichever file has that. Some programs number their entries, though. An identifier
/// that is too short to be unique joins only entries that have a title or a start in common.
struct SharedEntries {
  /// Shorter ones are those of programs that number entries.
  private static let uniqueBytes = 16

  /// What takes place of the entries of each file.
  private(set) var events: [[Event]]

  /// Compares the entries of files.
  init(_ files: [CalendarFile]) {
    events = files.map(\.events)
    guard files.count > 1 else { return }
    var shared: [String: [Int]] = [:]
    for (place, file) in files.enumerated() {
      for identifier in Set(file.versions.lazy.compactMap(\.identifier)) where !identifier.isEmpty {
        shared[identifier, default: []].append(place)
      }
    }
    shared = shared.filter { $0.value.count > 1 }
    guard !shared.isEmpty else { return }
    var known: [String: [Int: [Event]]] = [:]
    for place in Set(shared.values.joined()) {
      for event in files[place].versions {
        guard let identifier = event.identifier, shared[identifier] != nil else { continue }
        known[identifier, default: [:]][place, default: []].append(event)
      }
    }
    var pool: [(file: Int, event: Event)] = []
    var joined: [Int: Set<String>] = [:]
    for (identifier, entries) in known {
      for places in Self.groups(of: entries, identifier) where places.count > 1 {
        for place in places {
          joined[place, default: []].insert(identifier)
          pool += (entries[place] ?? []).map { (place, $0) }
        }
      }
    }
    for (place, identifiers) in joined {
      events[place].removeAll { $0.identifier.map(identifiers.contains) ?? false }
    }
    for (index, valid) in EventVersions(pool.map(\.event)).valid {
      events[pool[index].file] += valid
    }
  }

  /// The files that have the same entry with an identifier, in groups.
  private static func groups(of entries: [Int: [Event]], _ identifier: String) -> [[Int]] {
    let places = entries.keys.sorted()
    if identifier.utf8.count >= uniqueBytes || identifier.contains("@") { return [places] }
    var groups: [[Int]] = []
    for place in places {
      let mine = entries[place] ?? []
      let group = groups.firstIndex { group in
        group.contains { isSame(mine, entries[$0] ?? []) }
      }
      if let group { groups[group].append(place) } else { groups.append([place]) }
    }
    return groups
  }

  private static func isSame(_ some: [Event], _ others: [Event]) -> Bool {
    // What replaces an occurrence belongs to a series.
    if some.allSatisfy({ $0.replaces != nil }) || others.allSatisfy({ $0.replaces != nil }) {
      return true
    }
    let summaries = Set(others.map(\.summary))
    let starts = Set(others.map(\.start))
    return some.contains { summaries.contains($0.summary) || starts.contains($0.start) }
  }
}
