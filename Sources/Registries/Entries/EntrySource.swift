/// Where the files of an entry are.
package nonisolated enum EntrySource: Hashable, Sendable {
  /// A script that is in the registry itself, by its path there.
  case registry(path: String)
  /// A file or a folder in a commit of a repository.
  case repository(RepositoryAddress, commit: String, path: String)

  /// Where it is, in words.
  package var words: String {
    switch self {
    case .registry(let path): path
    case .repository(let address, let commit, let path): "\(address), \(commit.prefix(12)), \(path)"
    }
  }

  /// The name of the file or the folder.
  package var name: String {
    switch self {
    case .registry(let path), .repository(_, _, let path):
      path.split(separator: "/").last.map(String.init) ?? path
    }
  }
}
