import FoundationEssentials
import WidgetExtensions
import WidgetKitCore
import WidgetPlatform

/// Looks at the sandbox, and at what widgets request beyond it.
struct SandboxDiagnosis {
  private let sandbox: Sandbox
  private let mode: SandboxMode
  private let permissions: PermissionBook
  private let bundles: [WidgetBundle]

  init(
    _ mode: SandboxMode,
    _ permissions: PermissionBook,
    _ bundles: [WidgetBundle],
    environment: [String: String]
  ) {
    self.mode = mode
    self.permissions = permissions
    self.bundles = bundles
    sandbox = Sandbox(mode, environment: environment)
  }

  /// What there is to say.
  var findings: [Finding] {
    [level] + outside + network + bus + bundles.flatMap(problems) + bundles.flatMap(requests)
  }

  private var level: Finding {
    switch sandbox.level {
    case .full:
      return Finding(
        .sandbox,
        .ok,
        "widgets run in a sandbox and see their bundles, their own files and what they were granted"
      )
    case .partial(let reason):
      return Finding(
        .sandbox,
        mode == .required ? .wrong : .warning,
        mode == .required
          ? "no widget runs, as the setting “sandbox” is “required” and there is only a partial one: \(reason)"
          : "widgets run in a partial sandbox (Landlock): \(reason); Docs/Security.md says what it does not prevent",
        advice: "install bubblewrap, and allow user namespaces, for the full one"
      )
    case .off:
      return Finding(
        .sandbox,
        .warning,
        "the setting “sandbox” is off: every widget can do what you can",
        advice: "remove it from config.json"
      )
    case .none(let reason):
      return Finding(
        .sandbox,
        mode == .required ? .wrong : .warning,
        "there is no sandbox: \(reason); widgets that you install run only if you trust them",
        advice: "install bubblewrap, and allow user namespaces"
      )
    }
  }

  /// The widgets of the program that run outside of the sandbox, if there is one.
  private var outside: [Finding] {
    guard ["full", "partial"].contains(sandbox.level.name) else { return [] }
    let names = bundles.filter { permissions.isOutside($0, isRequired: mode == .required) }
      .map(\.bundleIdentifier)
    guard !names.isEmpty else { return [] }
    let list = names.joined(separator: ", ")
    return [Finding(.sandbox, .ok, "outside of it, because they come with the program: \(list)")]
  }

  /// The permissions of all widgets that run in the sandbox.
  private var inside: [[Permission]] {
    bundles.filter { !permissions.isOutside($0, isRequired: mode == .required) }
      .map { permissions.permissions(of: $0) }
  }

  /// Which network widgets get, if one asks for it and the sandbox is full.
  private var network: [Finding] {
    guard sandbox.level == .full,
      inside.joined().contains(where: { $0.request.entitlement == .network })
    else { return [] }
    switch sandbox.network {
    case .own(let program):
      return [
        Finding(
          .sandbox,
          .ok,
          "widgets that may use the network use it through one of their own, by \(program)"
        )
      ]
    case .shared(let reason):
      return [
        Finding(
          .sandbox,
          .warning,
          "widgets that may use the network share that of this machine, with localhost: \(reason)",
          advice: "install slirp4netns or pasta, and allow /dev/net/tun, for one of their own"
        )
      ]
    }
  }

  /// Why widgets that ask for it cannot use the session bus.
  private var bus: [Finding] {
    var reasons: [String] = []
    for permissions in inside {
      for permission in permissions where permission.request.entitlement == .desktopBus {
        guard case .denied(let reason) = sandbox.remark(on: permission, of: permissions),
          !reasons.contains(reason)
        else { continue }
        reasons.append(reason)
      }
    }
    return reasons.map { Finding(.sandbox, .warning, "no widget talks to the session bus: \($0)") }
  }

  /// Entitlements that are not used, with their places.
  private func problems(_ bundle: WidgetBundle) -> [Finding] {
    let file = "\(bundle.path)/Entitlements.plist"
    var problems = bundle.entitlements.problems
    if bundle.entitlements.declinesSandbox, permissions.origin(of: bundle) != .bundled {
      problems.append(
        .init(
          name: Entitlement.sandbox.rawValue,
          words: "is false, which counts only for widgets that come with the program"
        )
      )
    }
    problems += bundle.groupProblems
    return problems.map { problem in
      let line = Self.line(of: problem.name, in: file).map { ":\($0)" } ?? ""
      let nearest = Entitlement.nearest(to: problem.name).map { "did you mean \($0)?" }
      return Finding(
        .sandbox,
        .warning,
        "\(file)\(line): \(problem.name) \(problem.words); it is ignored",
        advice: problem.isUnknown ? nearest : nil
      )
    }
  }

  /// The line of a name in a property list in text form, from 1; nil if it is not there.
  private static func line(of name: String, in file: String) -> Int? {
    guard let bytes = UserFile.bytes(file, byteLimit: InfoPlist.byteLimit) else { return nil }
    let lines = String(decoding: bytes, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
    return lines.firstIndex { $0.contains(name) }.map { $0 + 1 }
  }

  private func requests(_ bundle: WidgetBundle) -> [Finding] {
    let all = permissions.permissions(of: bundle)
    let states: [Permission.State] = [.granted, .refused, .open]
    return states.compactMap { state in
      let words = all.filter { $0.state == state }.map(\.request.words.string)
      guard !words.isEmpty else { return nil }
      let id = bundle.bundleIdentifier
      return Finding(
        .sandbox,
        state == .open ? .warning : .ok,
        "\(id) \(state.verb) \(words.joined(separator: ", "))",
        advice: state == .open ? "today permissions \(id) --grant all, or --revoke all" : nil
      )
    }
  }
}
