import FoundationEssentials
import WidgetKitCore

/// The tables of the tz database that have a place for each zone (`zone.tab`, `zone1970.tab`).
enum ZoneTables {
  private static let byteLimit = 1024 * 1024
  private static let names = ["zone.tab", "zone1970.tab"]

  /// The principal place of a zone; nil for one without a place, such as `UTC`.
  ///
  /// `zone.tab` comes first, as it has zones that are links in the other one.
  static func place(of zone: String, in folder: String = "/usr/share/zoneinfo") -> Coordinates? {
    for name in names {
      guard let data = FileManager.default.contents(atPath: folder + "/" + name),
        data.count <= byteLimit
      else { continue }
      if let place = place(of: zone, inTable: String(decoding: data, as: UTF8.self)) {
        return place
      }
    }
    return nil
  }

  /// Lines are countries, coordinates, the zone and comments, separated by tabs.
  static func place(of zone: String, inTable text: String) -> Coordinates? {
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
      if columns.count >= 3, columns[2] == zone { return Coordinates(coordinates: columns[1]) }
    }
    return nil
  }
}
