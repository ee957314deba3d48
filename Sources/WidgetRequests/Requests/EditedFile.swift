import CPlatform
import Glibc
import WidgetKitCore
package import WidgetPlatform

/// A file of the user that is replaced whole or not at all, with its owner, mode and attributes.
package nonisolated struct EditedFile: Sendable {
  /// The file as it was named.
  package let path: String
  /// The file itself, to which links lead.
  package let target: String
  private let status: stat

  /// Looks at a file.
  ///
  /// - Throws: ``HostError`` if it must not be replaced: a code of `refused` if it is read-only, has several names or is
  ///   no file; `missing` if there is none.
  package init(_ path: String) throws(HostError) {
    self.path = path
    var status = stat()
    guard let target = resolvedPath(path), unsafe stat(target, &status) == 0 else {
      let code: HostError.Code = errno == ENOENT || errno == ENOTDIR ? .missing : .file
      throw HostError(code: code, description: "\(path): \(HostError.text(of: errno))")
    }
    (self.target, self.status) = (target, status)
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw Self.refused(path, "\(FileFault.kind(of: status.st_mode)), which cannot be replaced")
    }
    // A root user may write everything; a file without the permission is meant to stay as it is.
    guard status.st_mode & 0o222 != 0, unsafe access(target, W_OK) == 0 else {
      throw Self.refused(path, "it is read-only")
    }
    guard status.st_nlink == 1 else {
      let names = "\(status.st_nlink) names"
      throw Self.refused(path, "it has \(names), of which only one would be changed")
    }
  }

  private static func refused(_ path: String, _ words: String) -> HostError {
    HostError(code: .refused, description: "\(path): \(words); write to another file with --output")
  }

  /// Reads the file.
  ///
  /// - Parameters:
  ///   - folder: Where the copy is made.
  ///   - byteLimit: The most bytes.
  /// - Returns: A copy of its content.
  /// - Throws: ``HostError`` with the file and the reason.
  package func content(in folder: String, byteLimit: Int) throws(HostError) -> RequestSpool {
    let number = unsafe open(target, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard number >= 0 else { throw .file("read", path, errno) }
    defer { close(number) }
    let spool = try RequestSpool(in: folder)
    guard try spool.read(from: number, byteLimit: byteLimit) else {
      throw HostError(
        code: .tooLarge,
        description: "\(path) is larger than limits.requestBytes, \(byteLimit) bytes"
      )
    }
    return spool
  }

  /// Replaces the file by other content, if nobody has changed it since it was looked at.
  ///
  /// The new file is on the disk before it gets the name.
  ///
  /// - Throws: ``HostError``; the file is as it was then.
  package func replace(by content: RequestSpool) throws(HostError) {
    let place = OwnPath.split(target)
    do throws(FileFault) {
      let folder = try OwnFolder.openThroughLinks(place.folder, makes: false)
      let temporary = OwnFolder.temporaryName()
      do throws(FileFault) {
        let file = try folder.file(temporary, O_WRONLY | O_CREAT | O_EXCL)
        let error = content.copy(to: file.number)
        guard error == 0 else { throw .system(error) }
        try keepAttributes(of: file.number)
        guard fsync(file.number) == 0 else { throw .system(errno) }
        guard isUnchanged else {
          throw .refused("a file that another program has changed meanwhile")
        }
        guard unsafe renameat(folder.number, temporary, folder.number, place.name) == 0 else {
          throw .system(errno)
        }
      } catch {
        folder.remove(temporary)
        throw error
      }
      fsync(folder.number)
    } catch {
      throw .file("replace", path, error)
    }
  }

  /// Its bytes, as it was looked at.
  var byteCount: Int { Int(clamping: status.st_size) }

  /// Whether the file is the same as when it was looked at.
  var isUnchanged: Bool {
    var now = stat()
    guard unsafe stat(target, &now) == 0 else { return false }
    return now.st_ino == status.st_ino && now.st_dev == status.st_dev
      && now.st_size == status.st_size && now.st_mtim.tv_sec == status.st_mtim.tv_sec
      && now.st_mtim.tv_nsec == status.st_mtim.tv_nsec
  }

  /// Gives a new file the owner, the mode and the extended attributes, among them access control lists.
  private func keepAttributes(of file: Int32) throws(FileFault) {
    guard fchown(file, status.st_uid, status.st_gid) == 0 || status.st_uid == geteuid() else {
      throw .system(errno)
    }
    guard unsafe platform_copy_attributes(target, file) >= 0 else { throw .system(ENOMEM) }
    // Last, as a change of the owner clears bits of the mode (chown(2)).
    guard fchmod(file, status.st_mode & 0o7777) == 0 else { throw .system(errno) }
  }
}
