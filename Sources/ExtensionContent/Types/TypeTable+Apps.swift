package import WidgetKitCore

extension TypeTable {
  /// The standard types, and those that apps declare.
  ///
  /// - Parameter apps: The apps, of which the first one to export a type counts.
  /// - Returns: The table, and a sentence about each declaration that is not used, with the path of its app.
  package static func of(_ apps: [AppBundle]) -> (table: TypeTable, problems: [String]) {
    var (exported, imported): ([TypeDeclaration], [TypeDeclaration]) = ([], [])
    var problems: [String] = []
    for app in apps {
      let declared = [app.infoPlist.exportedTypes, app.infoPlist.importedTypes].map { value in
        TypeDeclaration.all(in: value ?? .array([]))
      }
      exported += declared[0].valid
      imported += declared[1].valid
      problems += declared.flatMap(\.problems).map { "\(app.path)/Info.plist: \($0)" }
      for declaration in declared[0].valid where standard.isStandard(declaration.type) {
        problems.append("\(app.path)/Info.plist: \(declaration.type) is a standard type")
      }
    }
    return (standard.declaring(exported: exported, imported: imported), problems)
  }
}
