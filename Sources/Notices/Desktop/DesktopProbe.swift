import WidgetPlatform

/// Who shows the notifications of the desktop, as the program `notice-agent` has found out.
package enum DesktopProbe: Hashable, Sendable {
  case noBus
  /// `notice-agent` is not installed.
  case noProgram
  /// The bus cannot be used, for a reason in words.
  case absent(String)
  /// The bus takes connections and says nothing for some seconds.
  case silent
  case nobody
  /// The program of this name; its name on the bus if that is not known.
  case daemon(String)

  /// How long the program may take.
  package static let patience: Duration = .seconds(3)

  /// Asks the bus, for which the calling thread waits.
  ///
  /// - Parameters:
  ///   - environment: The user's environment.
  ///   - executable: The path of the program `today`.
  package init(environment: [String: String], executable: String) {
    guard let address = SessionBus.address(environment) else {
      self = .noBus
      return
    }
    guard let program = HelperProgram.noticeAgent.path(beside: executable) else {
      self = .noProgram
      return
    }
    do throws(HostError) {
      let run = try AwaitedRun.end(
        of: LaunchDescription(
          program: program,
          arguments: ["--probe"],
          environment: [SessionBus.variable: address]
        ),
        isolation: .widget,
        keeping: 1,
        byteLimit: 4096,
        time: Self.patience
      )
      if case .tooSlow = run.failure {
        self = .silent
        return
      }
      var reader = DesktopReportReader()
      self = Self.found(reader.take(run.output))
    } catch {
      self = .absent(error.description)
    }
  }

  private static func found(_ reports: [DesktopReport]) -> DesktopProbe {
    guard case .state(let state, let words) = reports.last else {
      return .absent("notice-agent has ended without an answer")
    }
    return switch state {
    case .absent: .absent(words)
    case .watching: .daemon(words)
    case .idle, .own, .waiting: .nobody
    }
  }
}
