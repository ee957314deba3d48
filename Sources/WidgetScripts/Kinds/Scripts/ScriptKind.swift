import Brokers
import Glibc
package import WidgetKitCore
package import WidgetPlatform

/// A script of the user: a program that prints something and ends, and knows nothing of the protocol.
///
/// Its connection answers the host in the place of the program, and runs it once for each update.
enum ScriptKind: WidgetKind {
  static func includes(_ bundle: WidgetBundle) -> Bool { bundle.script != nil }

  static func start(
    _ bundle: WidgetBundle,
    _ id: ExtensionIdentity,
    userEnvironment: [String: String],
    limits: HostLimits,
    confine: WidgetKinds.Confine,
    report: @escaping (WidgetReport) -> Void
  ) throws(HostError) -> any WidgetConnection {
    guard let script = bundle.script else { preconditionFailure("a bundle of another kind") }
    if let topic = script.options.topic {
      return try broker(script, topic, userEnvironment, limits, report)
    }
    var launch = LaunchDescription(script, userEnvironment: userEnvironment)
    if script.isSandboxed {
      // Nothing would hold it there.
      guard script.options.host == nil else { throw .sandboxElsewhere }
      let containers = StateFolders(environment: userEnvironment).containers(
        of: bundle.runner(of: id)
      )
      launch.environment = WidgetEnvironment.make(
        from: userEnvironment,
        bundle: launch.folder,
        containers: containers
      )
    }
    let confined = try confine(launch)
    if let host = script.options.host, RemoteHosts.shared.names.isFleet(host) {
      return try fleet(script, on: host, confined, userEnvironment, limits, report)
    }
    let program = script.program
    func run(for owner: any ScriptRunnerOwner) -> ScriptRunner {
      runner(program, on: script.options.host, confined, userEnvironment, limits, owner)
    }
    return ScriptConnection(
      script,
      folder: confined.folder,
      limits: limits.view,
      runner: { owner in
        guard program.isSplit else { return run(for: owner) }
        let folders = StateFolders(environment: userEnvironment)
        return SharedScript.run(of: program, confined, folders, run)
          .join(owner, script.block)
      },
      report: report
    )
  }
}

extension ScriptKind {
  /// The messages of a topic, in the place of what a script prints.
  private static func broker(
    _ script: ScriptProgram,
    _ topic: String,
    _ userEnvironment: [String: String],
    _ limits: HostLimits,
    _ report: @escaping (WidgetReport) -> Void
  ) throws(HostError) -> any WidgetConnection {
    guard !script.isSandboxed, script.options.host == nil else {
      throw HostError(
        code: .refused,
        description: "the messages of a topic come to this machine, and outside of the sandbox"
      )
    }
    let address = try script.options.broker.map { text throws(HostError) in try BrokerAddress(text)
    }
    guard let address = address ?? BrokerHub.shared.settings.broker else {
      throw HostError(
        code: .missing,
        description: "no broker: set “mqtt.broker” in config.json, such as \"mqtts://broker.lan\""
      )
    }
    if let fault = TopicRules.fault(topic) { throw HostError(code: .refused, description: fault) }
    return ScriptConnection(
      script,
      folder: "/",
      limits: limits.view,
      runner: { owner in
        BrokerRunner(
          script,
          topic,
          on: BrokerHub.shared.broker(at: address, environment: userEnvironment),
          limits: limits,
          owner: owner
        )
      },
      report: report
    )
  }

  private static func runner(
    _ program: ScriptProgram,
    on host: RemoteDestination?,
    _ launch: LaunchDescription,
    _ userEnvironment: [String: String],
    _ limits: HostLimits,
    _ owner: any ScriptRunnerOwner
  ) -> ScriptRunner {
    ScriptRunner(
      program,
      owner: owner,
      launch: launch,
      group: limits.resources.group(helpers: 0),
      starts: .shared,
      remote: host.map { destination in
        RemoteScript(program, RemoteHosts.shared.host(destination, environment: userEnvironment))
      }
    )
  }

  /// A script on several machines, as one card.
  private static func fleet(
    _ script: ScriptProgram,
    on host: RemoteDestination,
    _ launch: LaunchDescription,
    _ userEnvironment: [String: String],
    _ limits: HostLimits,
    _ report: @escaping (WidgetReport) -> Void
  ) throws(HostError) -> any WidgetConnection {
    // The numbers of several machines are no history of one.
    var script = script.program
    (script.options.history, script.options.alert) = (nil, nil)
    let lines = Int(clamping: script.lines.magnitude)
    return FleetConnection(
      RemoteHosts.shared.names.machines(of: host),
      form: script.options.table == true ? .table : .stack(lines: lines),
      limits: limits,
      start: { [script] machine, report in
        var script = script
        script.options.host = machine
        return ScriptConnection(
          script,
          folder: launch.folder,
          limits: limits.view,
          runner: { [script] in runner(script, on: machine, launch, userEnvironment, limits, $0) },
          report: report
        )
      },
      report: report
    )
  }
}

extension LaunchDescription {
  /// Describes how a script is run: as by its user at a prompt in its folder, which for a link
  /// is that of its target, with all of the environment.
  package init(_ script: ScriptProgram, userEnvironment: [String: String]) {
    // In the sandbox there is the file, and no link to it.
    let target = resolvedPath(script.path) ?? script.path
    let path = script.isSandboxed ? target : script.path
    self.init(program: path, environment: userEnvironment, folder: OwnPath.split(target).folder)
    guard let start = Self.start(of: path) else { return }
    if let shebang = Shebang(start) {
      let found = shebang.command(for: path) { name in
        name.contains("/")
          ? (ToolSearch.isProgram(name) ? name : nil)
          : ToolSearch.path(of: name, in: userEnvironment)
      }
      guard let found else { return }
      program = found[0]
      arguments = Array(found.dropFirst())
    } else if !start.contains(0) {
      // As shells do with a text that the kernel cannot run.
      program = "/bin/sh"
      arguments = [path]
    }
  }

  /// The first bytes of a file; nil if it is empty or cannot be read.
  private static func start(of path: String) -> [UInt8]? {
    let descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var start = [UInt8](repeating: 0, count: 256)
    let count = unsafe read(descriptor, &start, start.count)
    return count >= 0 ? Array(start.prefix(count)) : nil
  }
}
