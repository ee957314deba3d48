/// The themes that come with the program: the files in `Files`, which are part of the program.
package enum ShippedThemes {
  /// One of them.
  package struct File: Sendable {
    /// Its name, which is that of its file.
    package let id: String
    /// The text of its file.
    package let bytes: [UInt8]
  }

  /// All of them, in the order of lists.
  package static let files: [File] = [
    File(id: "dark", bytes: PackageResources.dark_json),
    File(id: "light", bytes: PackageResources.light_json),
    File(id: "midnight", bytes: PackageResources.midnight_json),
    File(id: "ember", bytes: PackageResources.ember_json),
    File(id: "paper", bytes: PackageResources.paper_json),
    File(id: "mist", bytes: PackageResources.mist_json),
    File(id: "contrast", bytes: PackageResources.contrast_json),
    File(id: "ansi", bytes: PackageResources.ansi_json),
  ]
}
