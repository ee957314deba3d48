/// What has to be done in a folder, so that it has the files of an edition.
nonisolated struct PublishStep {
  /// What is said of the folder while files are written, which come to it or change; nil if there are none.
  var before: PublishMarker?
  /// The files that come or change.
  var written: [(name: String, bytes: [UInt8])]
  /// The files that are there no longer.
  var removed: [String]
  /// What is said of the folder then.
  var after: PublishMarker

  /// - Parameters:
  ///   - files: The files of the edition.
  ///   - page: The page.
  ///   - found: What is said of the folder; nil for one that is not ours yet.
  init(_ files: [(name: String, bytes: [UInt8])], of page: String, _ found: PublishMarker?) {
    after = PublishMarker(page: page)
    for file in files { after.files[file.name] = PublishMarker.hash(file.bytes) }
    let (old, new) = (found?.files ?? [:], after.files)
    written = files.filter { old[$0.name] != new[$0.name] }
    removed = old.keys.filter { new[$0] == nil }.sorted()
    guard !written.isEmpty else { return }
    var marker = PublishMarker(page: page, files: old)
    for file in written { marker.files[file.name] = "" }
    if marker != found { before = marker }
  }

  /// Whether nothing has to be done.
  func isNothing(_ found: PublishMarker?) -> Bool {
    written.isEmpty && removed.isEmpty && after == found
  }
}
