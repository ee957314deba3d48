import Notices
import WidgetExtensions
import WidgetPlatform

/// Looks at what other programs and services have to answer: all of them at the same time, each for some seconds.
struct ServiceDiagnosis {
  /// What there is to say.
  struct Findings {
    var images: [Finding]
    var timer: Finding
    var publishing: [Finding]
    var controlGroups: Finding
    var secrets: Finding
    var notices: Finding
    var brokers: [Finding]
  }

  /// How long one may take that does not keep to its own limit of three seconds.
  static let patience: Duration = .seconds(4)

  let environment: [String: String]
  let usesControlGroups: Bool
  let secrets: SecretStorage
  let notices: NoticeSettings

  /// Asks them.
  func findings() async -> Findings {
    let (environment, usesControlGroups, secrets) = (environment, usesControlGroups, secrets)
    let settings = notices
    let images = Answer(Self.silence(.images, "the decoder of pictures")) {
      await ImageDiagnosis.findings()
    }
    let timer = Answer(Self.silence(.timer, "systemctl --user")) {
      [await TimerDiagnosis.finding(environment: environment)]
    }
    let publishing = Answer(Self.silence(.publishing, "systemctl --user")) {
      await PublishDiagnosis.findings(environment: environment)
    }
    let controlGroups = Answer(Self.silence(.sandbox, "systemd, asked for a control group,")) {
      [await ControlGroupDiagnosis.finding(isWanted: usesControlGroups, environment: environment)]
    }
    let keeping = Answer(Self.silence(.secrets, "the Secret Service")) {
      await Task.detached { [SecretsDiagnosis(keeping: secrets.keeping()).finding] }.value
    }
    let brokers = Answer(Self.silence(.brokers, "the MQTT broker")) {
      await BrokerDiagnosis.findings(environment)
    }
    let desktop = Answer(Self.silence(.notices, "the session bus")) {
      let isService = NoticeUnit(environment: environment).installedProgram != nil
      let executable = HostProcess.executablePath()
      // Tasks have as many threads as there are processors, all of which would wait on a small machine.
      let probe = await withCheckedContinuation { continuation in
        Worker.background.async {
          continuation.resume(
            returning: DesktopProbe(environment: environment, executable: executable)
          )
        }
      }
      return [NoticeDiagnosis(probe: probe, settings: settings, isService: isService).finding]
    }
    return Findings(
      images: await images.findings(),
      timer: await timer.findings()[0],
      publishing: await publishing.findings(),
      controlGroups: await controlGroups.findings()[0],
      secrets: await keeping.findings()[0],
      notices: await desktop.findings()[0],
      brokers: await brokers.findings()
    )
  }

  private static func silence(_ area: Finding.Area, _ name: String) -> Finding {
    Finding(
      area,
      .warning,
      "\(name) has not answered within \(patience.components.seconds) s",
      advice: "check whether it works, and run “today doctor” again"
    )
  }
}

/// What is found in some seconds, or that there was no answer.
private final class Answer {
  private var found: [Finding]?
  private var waiting: CheckedContinuation<[Finding], Never>?
  private var timer: (any HostTimer)?

  /// Begins to look.
  init(_ silence: Finding, _ work: @escaping @MainActor () async -> [Finding]) {
    timer = SystemClock().schedule(after: ServiceDiagnosis.patience) { [weak self] in
      self?.finish([silence])
    }
    Task { finish(await work()) }
  }

  private func finish(_ findings: [Finding]) {
    guard found == nil else { return }
    found = findings
    timer?.cancel()
    waiting?.resume(returning: findings)
    waiting = nil
  }

  /// What was found.
  func findings() async -> [Finding] {
    if let found { return found }
    return await withCheckedContinuation { waiting = $0 }
  }
}
