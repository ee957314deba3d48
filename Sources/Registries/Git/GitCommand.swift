import Glibc
import WidgetKitCore
package import WidgetPlatform

/// The user's own git, for fetching from strangers: without hooks, submodules, filters and other protocols, and with
/// limits of time and size.
///
/// Only fetching reads the user's settings of git, for the passwords and proxies there; what was fetched is read
/// without them, so that no filter or attribute of the user is applied to it.
package final class GitCommand {
  private let environment: [String: String]
  private let clock: any HostClock
  private let limits: TreeLimits

  /// What git, ssh and its helpers read of the user's environment.
  private static let variables = [
    "PATH", "HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "TMPDIR", "XDG_CONFIG_HOME",
    "XDG_RUNTIME_DIR", "SSH_AUTH_SOCK", "SSH_ASKPASS", "GIT_ASKPASS", "GIT_SSH", "GIT_SSH_COMMAND",
    "DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "http_proxy", "https_proxy",
    "HTTPS_PROXY", "no_proxy", "NO_PROXY", "ALL_PROXY", "all_proxy", "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "GIT_SSL_CAINFO",
  ]
  /// What is set for each command, in place of what the user has set.
  private static let settings = [
    "core.hooksPath=/dev/null", "core.fsmonitor=false", "core.attributesFile=/dev/null",
    "core.autocrlf=false", "protocol.allow=never", "protocol.https.allow=always",
    "protocol.ssh.allow=always", "protocol.file.allow=always", "protocol.ext.allow=never",
    "protocol.version=2", "submodule.recurse=false", "fetch.recurseSubmodules=false",
    "transfer.bundleURI=false", "gc.auto=0", "maintenance.auto=false", "tar.umask=0002",
    // What the attributes of strangers name must not run, and nothing is signed on the way.
    "gpg.program=/bin/false", "gpg.ssh.program=/bin/false", "gpg.x509.program=/bin/false",
    "commit.gpgSign=false", "log.showSignature=false",
  ]

  /// Prepares git.
  package init(
    environment: [String: String],
    limits: TreeLimits = TreeLimits(),
    clock: any HostClock = SystemClock()
  ) {
    (self.environment, self.limits, self.clock) = (environment, limits, clock)
  }

  /// Fetches one commit, without those before it.
  ///
  /// - Parameters:
  ///   - reference: The digits of a commit, or `HEAD`.
  ///   - address: Where it is.
  ///   - repository: The path of a folder that does not exist, in which it is kept.
  /// - Returns: The digits of the commit.
  /// - Throws: ``HostError`` that says what git has printed.
  package func fetch(
    _ reference: String,
    from address: RepositoryAddress,
    into repository: String
  ) async throws(HostError) -> String {
    var initial = ["init", "--quiet", "--bare", "--template="]
    if reference.utf8.count == 64 { initial.append("--object-format=sha256") }
    _ = try await output(initial + ["--", repository], watching: nil)
    let options = ["--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules"]
    do throws(HostError) {
      _ = try await output(
        ["--git-dir=\(repository)", "fetch"] + options + ["--", address.description, reference],
        watching: repository,
        readsSettings: true
      )
    } catch {
      throw HostError(code: error.code, description: "\(address): \(error.description)")
    }
    let name = reference == "HEAD" ? "FETCH_HEAD" : reference
    let line = try await output(
      ["--git-dir=\(repository)", "rev-parse", "--verify", "--quiet", "\(name)^{commit}"],
      watching: nil
    )
    let commit = String(decoding: line.prefix { $0 != 0x0A }, as: UTF8.self)
    guard reference == "HEAD" || commit == reference else {
      throw HostError(
        code: .refused,
        description: "\(address): it has given \(SafeText(commit)) for the commit \(reference)"
      )
    }
    return commit
  }

  /// Writes the archive of some paths of a commit to a file.
  package func archive(
    _ commit: String,
    _ paths: [String],
    of repository: String,
    to file: String
  ) async throws(HostError) {
    _ = try await output(
      [
        "--git-dir=\(repository)", "--literal-pathspecs", "archive", "--format=tar",
        "--output=\(file)", "--", commit,
      ] + paths,
      watching: OwnPath.split(file).folder,
      findsPrograms: false
    )
  }

  /// The names at the top of a commit.
  package func names(in commit: String, of repository: String) async throws(HostError) -> [String] {
    let list = try await output(
      ["--git-dir=\(repository)", "ls-tree", "--name-only", "-z", commit],
      watching: nil
    )
    return list.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Whether the archive of a commit depends on more than its files: on its date, its branches or its signature.
  package func substitutes(
    in commit: String,
    of repository: String
  ) async throws(HostError) -> Bool {
    let found = try await output(
      [
        "--git-dir=\(repository)", "grep", "-z", "-l", "-F", "-e", "export-subst", commit, "--",
        ":(glob)**/.gitattributes",
      ],
      watching: nil,
      mayFindNothing: true
    )
    return !found.isEmpty
  }

  // MARK: - Running

  /// What git says of a repository of the user, such as that of a widget that is to be published.
  package func ask(_ arguments: [String], in folder: String) async throws(HostError) -> String {
    let bytes = try await output(["-C", folder] + arguments, watching: nil, readsSettings: true)
    return String(decoding: bytes, as: UTF8.self)
  }

  private func output(
    _ arguments: [String],
    watching folder: String?,
    readsSettings: Bool = false,
    findsPrograms: Bool = true,
    mayFindNothing: Bool = false
  ) async throws(HostError) -> [UInt8] {
    guard let git = ToolSearch.path(of: "git", in: environment) else {
      throw HostError(code: .missing, description: "git is not installed; apt install git")
    }
    var variables = variables(readsSettings: readsSettings)
    // git archive knows no settings of gpg, and runs the one that it finds.
    if !findsPrograms { variables["PATH"] = "/dev/null" }
    let launch = LaunchDescription(
      program: git,
      arguments: Self.settings.flatMap { ["-c", $0] } + arguments,
      environment: variables,
      folder: "/"
    )
    var processLimits = ProcessLimits()
    processLimits.memoryBytes = 4 << 30
    processLimits.fileBytes = 4 * limits.bytes
    let errors = ErrorLines()
    let terms = ChildRun.Terms(
      output: .kept(byteLimit: 1 << 20),
      errors: .lines { errors.lines += $0 },
      limits: processLimits,
      time: limits.time
    )
    let watch = folder.map { folder in
      // The repository and the archive.
      FolderSizeWatch(
        of: folder,
        byteLimit: 3 * limits.bytes,
        entryLimit: 4 * limits.entries,
        clock: clock
      )
    }
    defer { watch?.end() }
    let end = try await ChildRun.end(of: launch, terms, clock: clock) { watch?.run = $0 }
    guard watch?.isTooLarge != true else { throw tooLarge }
    if mayFindNothing, end.status == .exited(1), end.failure == nil { return [] }
    return try result(end, errors)
  }

  private var tooLarge: HostError {
    HostError(code: .tooLarge, description: "it has more than \(limits.bytes >> 20) MiB")
  }

  private final class ErrorLines {
    var lines: [SafeText] = []
  }

  private func result(
    _ end: ChildRun.End,
    _ errors: ErrorLines
  ) throws(HostError) -> [UInt8] {
    if let failure = end.failure {
      throw HostError(code: .busy, description: "git \(failure.words)")
    }
    guard end.status == .exited(0) else {
      let words = (errors.lines + end.lines).filter { !$0.isEmpty }
      guard !words.contains(where: { $0.string.contains("died of signal \(SIGXFSZ)") }) else {
        throw tooLarge
      }
      let word = words.first { $0.string.hasPrefix("fatal: ") } ?? words.last
      let text = word.map { $0.string.replacing("fatal: ", with: "") }
      throw HostError(
        code: .system,
        description: "git: \(SafeText(text ?? "\(end.status)").onOneLine)"
      )
    }
    return end.output
  }

  private func variables(readsSettings: Bool) -> [String: String] {
    var result = environment.filter { Self.variables.contains($0.key) }
    result["GIT_CONFIG_NOSYSTEM"] = "1"
    result["GIT_ATTR_NOSYSTEM"] = "1"
    result["GIT_ALLOW_PROTOCOL"] = "https:ssh:file"
    result["GIT_TERMINAL_PROMPT"] = "0"
    result["GIT_NO_REPLACE_OBJECTS"] = "1"
    result["GIT_LFS_SKIP_SMUDGE"] = "1"
    if !readsSettings { result["GIT_CONFIG_GLOBAL"] = "/dev/null" }
    if result["GIT_SSH_COMMAND"] == nil, result["GIT_SSH"] == nil {
      // Nobody could answer its questions.
      result["GIT_SSH_COMMAND"] = "ssh -o BatchMode=yes -o ConnectTimeout=15"
    }
    return result
  }
}
