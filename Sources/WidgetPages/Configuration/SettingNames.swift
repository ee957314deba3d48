import WidgetKitCore
import WidgetPlatform

/// The known name that is nearest to one that is not known.
nonisolated enum SettingNames {
  /// The setting or group that an unknown path was probably meant to be; nil where none is near.
  ///
  /// A name that differs in a few characters, or the right name in another object.
  static func nearest(to path: MemberPath) -> MemberPath? {
    guard let name = path.name else { return nil }
    let known = SettingTable.all.map(\.path) + SettingTable.groups.filter { !$0.steps.isEmpty }
    let near = known.compactMap { candidate -> (path: MemberPath, distance: Int, length: Int)? in
      guard let other = candidate.name else { return nil }
      let distance = NearName.distance(name.lowercased(), other.lowercased())
      let isSibling = candidate.parent == path.parent
      let limit = isSibling ? max(1, min(name.count, other.count) / 3) : 0
      // The right name elsewhere is nearer than one of two errors here.
      let length = abs(name.count - other.count)
      return distance <= limit ? (candidate, isSibling ? distance * 2 : 3, length) : nil
    }
    return near.min {
      ($0.distance, $0.length, $0.path.description)
        < ($1.distance, $1.length, $1.path.description)
    }?.path
  }
}
