public import WidgetPlatform

/// The theme that the user chose in the program, which applies where config.json selects none.
public enum ChosenTheme {
  private static let byteLimit = 100

  /// The file that has its name: `theme` in the program's folder of state.
  package static func path(_ environment: [String: String]) -> String {
    BaseFolders(environment).state + "/today/theme"
  }

  /// The name that was chosen last; nil if none was, or if the file is not the program's.
  package static func read(_ environment: [String: String]) -> String? {
    guard let bytes = DurableFile.read(path(environment), byteLimit: byteLimit) else { return nil }
    let name = String(decoding: bytes, as: UTF8.self).split(separator: "\n").first.map(String.init)
    return name.flatMap { ThemeCatalog.isName($0) ? $0 : nil }
  }

  /// Remembers a name.
  ///
  /// - Throws: ``HostError`` that names the file.
  public static func write(_ name: String, _ environment: [String: String]) throws(HostError) {
    try DurableFile.write(Array("\(name)\n".utf8), to: path(environment))
  }
}
