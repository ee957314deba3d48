import Registries
import WidgetKitCore
import WidgetPlatform

/// The commit in which a bundle is, in a repository that others can fetch.
struct CommitOrigin {
  let address: RepositoryAddress
  let commit: String
  /// The path in the repository.
  let path: String

  /// Asks git about a bundle.
  ///
  /// - Throws: ``CommandError`` if it is not committed, or its repository has no address.
  init(
    of bundle: String,
    _ git: GitCommand,
    _ environment: [String: String]
  ) async throws(CommandError) {
    let folder = OwnPath.split(bundle).folder
    let root = try await Self.ask(git, ["rev-parse", "--show-toplevel"], folder)
    guard bundle.hasPrefix(root + "/") else {
      throw .failure("\(bundle) is not in a repository of git; commit it in one")
    }
    path = String(bundle.dropFirst(root.count + 1))
    let changes = try await Self.ask(git, ["status", "--porcelain", "--", bundle], folder)
    guard changes.isEmpty else {
      throw .failure("\(bundle) has changes that are not committed; commit and push them first")
    }
    commit = try await Self.ask(git, ["rev-parse", "HEAD"], folder)
    guard let remote = try? await Self.ask(git, ["remote", "get-url", "origin"], folder) else {
      throw .failure(
        "its repository has no remote “origin”, from which others fetch: git remote add origin ADDRESS"
      )
    }
    let web = GitRepository.webAddress(ofRemote: remote)
    guard let address = RepositoryAddress(remote) ?? web.flatMap(RepositoryAddress.init) else {
      throw .failure(
        "the remote “origin” is none that others can fetch: \(SafeText(remote).onOneLine)"
      )
    }
    self.address = address
  }

  private static func ask(
    _ git: GitCommand,
    _ arguments: [String],
    _ folder: String
  ) async throws(CommandError) -> String {
    let text = try await CommandError.from { () async throws(HostError) in
      try await git.ask(arguments, in: folder)
    }
    return String(text.split(separator: "\n", omittingEmptySubsequences: false).first ?? "")
  }
}
