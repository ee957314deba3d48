import WidgetExtensions
import WidgetPages
import WidgetPlatform

/// The process that keeps a transfer, which the program starts itself.
struct KeepTransferCommand: Command {
  static let name = TransferStarter.command
  static let syntax = CommandSyntax<KeepTransferCommand>(
    name,
    "keep a transfer",
    expected: "one transfer; the program starts this command itself",
    operands: [.one("TASK", .text, \.task)],
    options: [.flag(TransferStarter.pressOption, \.afterPress): "it follows a press"],
    isHidden: true
  )

  var options = CommonOptions()
  private var task = ""
  private var afterPress = false

  func run() async throws(CommandError) -> ExitCode {
    let keeper = TransferKeeper(
      task: task,
      environment: options.environment,
      executable: HostProcess.executablePath(),
      secrets: SecretStorage(options),
      sandbox: UserConfiguration(environment: options.environment).settings.sandbox,
      afterPress: afterPress
    )
    // The transfer is gone, or kept by another process.
    guard let keeper else { return .success }
    await withCheckedContinuation { continuation in keeper.run { continuation.resume() } }
    withExtendedLifetime(keeper) {}
    return .success
  }
}
