import Glibc

/// Checks the owner, the permissions and the place of bundles.
///
/// A bundle runs with the permissions of the user, so no other user may have written it: its folder,
/// its Info.plist and its executable must be owned by the user or root, and not be writable by others.
/// For a folder on the command line, and for the folder of the running program, the owner of the folder
/// is trusted too.
package struct BundleTrust: Hashable, Sendable {
  /// The trusted users.
  private var owners: Set<uid_t>
  /// The search path with all links resolved; nil for a bundle that was named directly.
  private var root: String?
  /// Whether the program may be missing, because it is being built.
  private(set) var acceptsMissingProgram = false

  /// The trust in the bundles of a search path.
  ///
  /// - Parameters:
  ///   - folder: The search path. Links to bundles outside it are refused.
  ///   - includesOwner: Whether its owner is trusted, even if it is another user.
  /// - Returns: The trust for the bundles in it.
  package static func searchPath(_ folder: String, includesOwner: Bool) -> BundleTrust {
    BundleTrust(owners: owners(with: includesOwner ? folder : nil), root: resolvedPath(folder))
  }

  /// The trust in a bundle that was named directly.
  package static func named(_ bundle: String) -> BundleTrust {
    BundleTrust(owners: owners(with: bundle), root: nil)
  }

  /// The same trust in a bundle whose program may be missing, because it is being built.
  package var beforeBuild: BundleTrust {
    var trust = self
    trust.acceptsMissingProgram = true
    return trust
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

  /// Checks a folder of scripts.
  package func check(folder path: String) throws(BundleError) {
    var status = stat()
    guard stat(path, &status) == 0 else { return }
    do {
      try check(status)
    } catch {
      throw BundleError(
        error.code,
        bundlePath: path,
        file: path,
        found: error.found,
        expected: error.expected
      )
    }
  }

  /// Checks the folder of a file, in which another user could replace it.
  func check(folderOf path: String) throws(BundleFault) {
    var status = stat()
    let end = path.lastIndex(of: "/") ?? path.startIndex
    let folder = end == path.startIndex ? "/" : String(path[..<end])
    // With the sticky bit, only the owner of a file can replace it.
    guard stat(folder, &status) == 0, status.st_mode & S_ISVTX == 0 else { return }
    guard status.st_mode & S_IWOTH == 0 else {
      throw BundleFault(
        code: .notTrusted,
        key: nil,
        found: "in a folder that is writable by every user",
        expected: "a folder that is not writable by others (chmod o-w)"
      )
    }
  }

  /// Checks that a bundle is in the search path when all links are resolved.
  func check(place path: String, expected: String) throws(BundleFault) {
    guard let root, let resolved = resolvedPath(path) else { return }
    guard resolved.hasPrefix(root == "/" ? root : root + "/") else {
      throw .unreadable("a symbolic link that leads out of \(root)", expected: expected)
    }
  }
}
