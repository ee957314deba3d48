import Glibc

/// The message loop of a widget's program.
public enum WidgetMain {
  /// Runs a widget on the standard streams until `shutdown` or the end of its input.
  ///
  /// Called by `@main` on a ``Widget``. The process wakes up only for messages and for work that the
  /// widget has scheduled itself.
  @MainActor
  public static func run<Program: Widget>(_ program: Program.Type) async -> Never {
    await run { WidgetRunner<Program>(context: $0) }
  }

  /// Passes the lines of the standard streams to what `make` makes.
  @MainActor
  static func run(_ make: @MainActor (WidgetContext) -> any MessageReceiver) async -> Never {
    guard isatty(STDIN_FILENO) == 0 else {
      let usage = "This is an extension: a host talks with it. Try: today test BUNDLE\n"
      _ = ProtocolStreams(input: STDIN_FILENO, output: STDERR_FILENO).write(Array(usage.utf8))
      exit(64)
    }
    // By default, SIGPIPE would end the process when the host has exited.
    signal(SIGPIPE, SIG_IGN)
    let streams = ProtocolStreams.takeOver()
    let host = HostConnection { line in
      if !streams.write(line) { exit(0) }
    }
    let context = WidgetContext(host: host)
    CurrentContext.ofProcess = context
    let runner = make(context)
    for await line in streams.lines() {
      runner.receive(line)
      if runner.isShutDown { break }
    }
    exit(0)
  }
}
