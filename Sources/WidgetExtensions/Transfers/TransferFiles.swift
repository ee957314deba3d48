import Glibc
package import WidgetPlatform

/// The files of one transfer: the part that has come, and its place in the folder of the group.
///
/// A part lies outside of the group, so that no widget can change it; what is in the group is whole.
package struct TransferFiles {
  private let record: TransferRecord
  private let group: String
  private let parts: String
  /// The folder in that of a group to which files come.
  private static let downloads = "Library/Transfers"

  package init(_ record: TransferRecord, _ book: TransferBook, _ folders: StateFolders) {
    self.record = record
    group = folders.group(record.group)
    parts = book.parts
  }

  private var partName: String { "\(record.task).part" }

  /// Opens the part, which is made if there is none.
  func openPart() throws(FileFault) -> Descriptor {
    try OwnFolder.open(parts, makes: true).file(partName, O_RDWR | O_CREAT)
  }

  /// Opens the file that is sent.
  func openSource() throws(FileFault) -> Descriptor {
    let (folder, name) = source
    return try OwnFolder.open(folder).file(name, O_RDONLY)
  }

  /// The folder and the name of the file that is sent.
  private var source: (folder: String, name: String) {
    OwnPath.split("\(group)/\(record.file ?? "")")
  }

  /// Moves the part to where it is found by the widget and its app.
  ///
  /// - Returns: The path.
  func complete() throws(FileFault) -> String {
    let (folder, name): (String, String) =
      switch record.kind {
      case .download: ("\(group)/\(Self.downloads)", record.task)
      case .upload: (source.folder, "\(source.name).\(record.task).response")
      }
    let from = try OwnFolder.open(parts)
    let to = try OwnFolder.open(folder, makes: true)
    try from.move(partName, to: to, as: name)
    return "\(folder)/\(name)"
  }

  /// Removes the part of a transfer that has failed.
  package func removePart() {
    guard let folder = try? OwnFolder.open(parts) else { return }
    folder.remove(partName)
  }
}
