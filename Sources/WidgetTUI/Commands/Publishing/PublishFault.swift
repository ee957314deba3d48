import WidgetKitCore

/// Why an edition could not be published.
nonisolated struct PublishFault: Error, Equatable {
  /// What failed, on what, and what the user can do.
  var words: String
  /// Whether retrying is useless.
  var isFinal = false
  /// How the program then ends.
  var code = ExitCode.refused
}

nonisolated extension PublishFault {
  /// A folder has files of others, such as this one.
  static func files(of place: String, such name: String) -> PublishFault {
    PublishFault(
      words: "\(place) has files that “today publish” has not written, such as \(SafeText(name)); "
        + "name another folder, or agree with --yes",
      isFinal: true
    )
  }

  /// A file of others has the name of one that is to be written.
  static func file(_ name: String, in place: String) -> PublishFault {
    PublishFault(
      words: "\(place)/\(SafeText(name)) was not written by “today publish”; "
        + "move it away, or replace it with --yes",
      isFinal: true
    )
  }

  /// A folder has another page.
  static func page(_ page: String, in place: String) -> PublishFault {
    PublishFault(
      words: "\(place) has the page “\(SafeText(page))”; name another folder, or agree with --yes",
      isFinal: true
    )
  }

  /// The marker of a folder cannot be used, for a reason.
  static func marker(of place: String, _ reason: String) -> PublishFault {
    PublishFault(
      words: "\(place)/\(PublishMarker.name): \(reason); remove it, if this folder is for the page",
      isFinal: true
    )
  }
}
