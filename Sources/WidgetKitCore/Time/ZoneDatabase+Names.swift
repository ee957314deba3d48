extension ZoneDatabase {
  /// Whether a name is that of a zone, or could be one as this system has no database at all.
  func mayHave(_ name: String) -> Bool {
    zone(named: name) != nil || !name.isEmpty && !hasFolder
  }

  /// The tables that list zones: the whole database, or zones with a place.
  fileprivate var tables: [NameTable] {
    for name in ["tzdata.zi", "zone.tab", "zone1970.tab"] {
      guard let bytes = ZoneFile.bytes(at: folder + "/" + name) else { continue }
      return [
        NameTable(isSource: name.hasSuffix(".zi"), text: String(decoding: bytes, as: UTF8.self))
      ]
    }
    return []
  }
}

/// The names of the time zones of this system.
package enum ZoneNames {
  /// The names in the tables that come with the zones, read again; none if there are no tables.
  package static var all: [String] { ZoneDatabase.system.tables.flatMap(\.names) }
}

/// A table of the tz database in which zones are named.
struct NameTable {
  /// Whether it is the source of the zones.
  ///
  /// Its lines are `Z NAME …`, and `L OTHER NAME` for a second name. Those of others are countries, coordinates
  /// and names, separated by tabs.
  let isSource: Bool
  /// Its content.
  let text: String

  /// The names in it.
  var names: [String] {
    text.split(separator: "\n").compactMap { line in
      if line.hasPrefix("#") { return nil }
      let words = line.split(separator: isSource ? " " : "\t")
      guard words.count >= 2 else { return nil }
      guard isSource else { return words.count >= 3 ? String(words[2]) : nil }
      switch words[0] {
      case "Z": return String(words[1])
      case "L": return words.count >= 3 ? String(words[2]) : nil
      default: return nil
      }
    }
  }
}
