import Glibc

/// Whose bundles are used, and where they may lie.
///
/// What is in a bundle is run with all that its user may do. So nobody else may have put it there:
/// its folder, its Info.plist and its executable belong to the user or to root, and not everybody can
/// write to them. Whoever names a folder on the command line, or runs the program that it came with,
/// vouches for the folder's owner too.
package struct BundleTrust: Hashable, Sendable {
  /// The numbers of the users whose files are used.
  private var owners: Set<uid_t>
  /// The search path, every link followed; nil where a bundle was named itself.
  private var root: String?

  /// The trust in what lies in a search path.
  ///
  /// - Parameters:
  ///   - folder: The search path. Bundles that lie elsewhere, and are links there, are refused.
  ///   - includesOwner: Whether its owner is trusted whoever that is.
  /// - Returns: What bundles in it are checked against.
  package static func searchPath(_ folder: String, includesOwner: Bool) -> BundleTrust {
    BundleTrust(owners: owners(with: includesOwner ? folder : nil), root: resolvedPath(folder))
  }

  /// The trust in a bundle that was named itself.
  package static func named(_ bundle: String) -> BundleTrust {
    BundleTrust(owners: owners(with: bundle), root: nil)
  }

  private static func owners(with path: String?) -> Set<uid_t> {
    var status = stat()
    guard let path, stat(path, &status) == 0 else { return [geteuid(), 0] }
    return [geteuid(), 0, status.st_uid]
  }

  /// Checks a file or a folder of a bundle.
  func check(_ status: stat) throws(BundleFault) {
    guard owners.contains(status.st_uid) else {
      throw BundleFault(
        code: .notTrusted,
        key: nil,
        found: "owned by another user (number \(status.st_uid))",
        expected: "owned by you or root"
      )
    }
    guard status.st_mode & S_IWOTH == 0 else {
      throw BundleFault(
        code: .notTrusted,
        key: nil,
        found: "writable by every user",
        expected: "not writable by others (chmod o-w)"
      )
    }
  }

  /// Checks where a bundle lies when every link is followed.
  func check(place path: String, expected: String) throws(BundleFault) {
    guard let root, let resolved = resolvedPath(path) else { return }
    guard resolved.hasPrefix(root == "/" ? root : root + "/") else {
      throw .unreadable("a symbolic link that leads out of \(root)", expected: expected)
    }
  }
}
