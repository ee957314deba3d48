import CPlatform
import Glibc

/// Programs that outlive this one, and of whose end nobody hears.
package enum DetachedProgram {
  /// Starts a program in a session of its own, without a terminal.
  ///
  /// A shell starts it and ends at once, so that it is no child of this program, which would have to collect it. It
  /// is therefore not known whether it was found.
  ///
  /// - Parameters:
  ///   - command: The program, which is looked for in PATH, and its arguments.
  ///   - input: What it reads from standard input.
  ///   - environment: Its whole environment.
  /// - Returns: Whether the shell could be started.
  @discardableResult
  package static func start(
    _ command: [String],
    input: [UInt8] = [],
    environment: [String: String] = HostProcess.environment()
  ) -> Bool {
    let null = unsafe open("/dev/null", O_RDWR | O_CLOEXEC)
    defer { close(null) }
    let launch = LaunchDescription(
      program: "/bin/sh",
      // A program in the background would read /dev/null, so that its input has another number at first.
      arguments: ["-c", "\"$@\" <&3 3<&- &", "sh"] + command,
      environment: environment,
      folder: ".",
      inputs: [input]
    )
    do throws(HostError) {
      var child = try ChildProcess.spawn(launch, .detached, streams: [null, null, null])
      defer { close(child.pidfd) }
      var end = platform_exit()
      var state = pollfd(fd: child.pidfd, events: Int16(POLLIN), revents: 0)
      while unsafe poll(&state, 1, -1) < 0, errno == EINTR {}
      return unsafe platform_reap(&child, &end) == 0 && end.code == 0
    } catch {
      return false
    }
  }
}
