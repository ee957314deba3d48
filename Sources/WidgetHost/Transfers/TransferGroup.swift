/// The app groups into which widgets transfer files.
nonisolated enum TransferGroup {
  /// The folder in that of a group to which files come.
  static let downloads = "Library/Transfers"
}
