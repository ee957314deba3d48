import Glibc

/// The read–answer loop of a widget's program.
public enum WidgetMain {
  /// Runs a widget on the standard streams until its host says `shutdown` or goes away.
  ///
  /// `@main` on a ``Widget`` calls this. Nothing wakes the process but the host, and what the
  /// widget itself asked for.
  @MainActor
  public static func run<Program: Widget>(_ program: Program.Type) async -> Never {
    guard isatty(STDIN_FILENO) == 0 else {
      let usage = "This is a widget: a host talks with it. Try: today test BUNDLE\n"
      _ = StandardStreams(input: STDIN_FILENO, output: STDERR_FILENO).write(Array(usage.utf8))
      exit(64)
    }
    // With the default a host that has gone ends us in the middle of whatever we do.
    signal(SIGPIPE, SIG_IGN)
    let streams = StandardStreams.takeOver()
    let host = HostConnection { line in
      if !streams.write(line) { exit(0) }
    }
    let context = WidgetContext(host: host)
    context.becomeProcessContext()
    let runner = WidgetRunner<Program>(context: context)
    for await line in streams.lines() {
      runner.receive(line)
      if runner.isShutDown { break }
    }
    exit(0)
  }
}
