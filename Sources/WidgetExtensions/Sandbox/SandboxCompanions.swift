import Glibc
import WidgetKitCore
import WidgetPlatform

/// The programs that some widgets need beside the full sandbox, if they are there.
///
/// This is a class because each is looked for once, when it is first needed, and what was found then applies for the
/// whole run of the program.
@MainActor final class SandboxCompanions {
  private let environment: [String: String]
  private let bubblewrap: String?
  /// The program that starts them.
  let launcher: String?
  private let busFolder: String
  /// How many sockets for proxies of the session bus were made.
  private var busCount = 0
  private var networkCompanion: SandboxCompanion?

  init(environment: [String: String], bubblewrap: String?, launcher: String?) {
    self.environment = environment
    self.bubblewrap = bubblewrap
    self.launcher = launcher
    busFolder = BusSocket.folder(StateFolders(environment: environment))
  }

  /// That the launcher is missing.
  nonisolated static let noLauncher = "sandbox-launcher, which comes with today, is not installed"

  // MARK: - The network

  /// The network of widgets that may use one; the first time it is tried, which takes about 30 ms.
  ///
  /// A widget is never given that of the machine because one of its own failed later.
  private(set) lazy var network: SandboxNetwork = {
    let slirp = ToolSearch.path(of: "slirp4netns", in: environment).map(SandboxCompanion.slirp)
    let pasta = ToolSearch.path(of: "pasta", in: environment).map {
      SandboxCompanion.pasta($0, isRoot: geteuid() == 0)
    }
    let candidates = [slirp, pasta].compactMap(\.self)
    guard !candidates.isEmpty else {
      return .shared("slirp4netns is not installed, nor is pasta (in the package passt)")
    }
    guard let bubblewrap, let launcher else { return .shared(Self.noLauncher) }
    var obstacles: [String] = []
    for companion in candidates {
      let obstacle = SandboxProbe.obstacle(
        network: companion,
        launcher: launcher,
        bubblewrap: bubblewrap,
        SystemView()
      )
      guard let obstacle else {
        networkCompanion = companion
        return .own(by: companion.name)
      }
      obstacles.append(obstacle)
    }
    return .shared(obstacles.joined(separator: "; "))
  }()

  // MARK: - The session bus

  private struct Missing: Error {
    let words: String
  }

  /// The program of the proxy and the address of the bus, or what is missing.
  private lazy var bus: Result<(program: String, address: String), Missing> = {
    guard let program = ToolSearch.path(of: "xdg-dbus-proxy", in: environment) else {
      return .failure(
        Missing(words: "xdg-dbus-proxy is not installed (apt-get install xdg-dbus-proxy)")
      )
    }
    guard launcher != nil else { return .failure(Missing(words: Self.noLauncher)) }
    guard let address = SessionBus.address(environment) else {
      return .failure(Missing(words: "there is no session bus (no \(SessionBus.variable))"))
    }
    if let obstacle = BusSocket.obstacle(in: busFolder) {
      return .failure(Missing(words: obstacle))
    }
    return .success((program, address))
  }()

  /// Returns why a widget cannot use the session bus.
  ///
  /// - Parameter hasNetwork: Whether it may use the network too.
  /// - Returns: Words that follow “as”; nil if it can.
  func busObstacle(hasNetwork: Bool) -> String? {
    if case .failure(let missing) = bus { return missing.words }
    // In the network of the machine, the abstract sockets of others are in reach, as that of a bus.
    guard hasNetwork, case .shared = network else { return nil }
    return "it may use the network too, and shares that of this machine"
  }

  // MARK: - Starting

  /// Chooses those for one run of a widget, and adds to its profile what they are for.
  ///
  /// - Throws: ``HostError`` if there can be no socket for the session bus.
  func companions(of profile: inout SandboxProfile) throws(HostError) -> [SandboxCompanion] {
    var companions: [SandboxCompanion] = []
    if !profile.busNames.isEmpty, case .success(let bus) = bus {
      busCount += 1
      let socket = try BusSocket.make(in: busFolder, number: busCount)
      profile.busSocket = socket
      companions.append(
        .busProxy(bus.program, address: bus.address, socket: socket, names: profile.busNames)
      )
    }
    if profile.usesNetwork, case .own = network, let networkCompanion {
      profile.nameServer = networkCompanion.nameServer
      profile.hasOwnNetwork = true
      companions.append(networkCompanion)
    }
    return companions
  }
}
