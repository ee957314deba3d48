import Foundation
import Glibc

@testable import Notices

/// A process that can be stopped, and which is killed after the test.
///
/// A class because it owns the process.
final class StoppableChild {
  let identity: PageProcess
  private let pid: pid_t

  init() throws {
    var pid: pid_t = 0
    var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("sleep"), strdup("600"), nil]
    defer { for argument in arguments { free(argument) } }
    let failure = posix_spawn(&pid, "/bin/sleep", nil, nil, &arguments, nil)
    guard failure == 0 else { throw POSIXError(POSIXErrorCode(rawValue: failure) ?? .EIO) }
    self.pid = pid
    let text = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
    let fields = text.split(separator: ")")[1].split(separator: " ")
    identity = PageProcess(number: Int(pid), start: Int(fields[19]) ?? 0)
  }

  deinit {
    kill(pid, SIGKILL)
    waitpid(pid, nil, 0)
  }

  func stop() throws {
    kill(pid, SIGSTOP)
    waitpid(pid, nil, WUNTRACED)
  }

  func resume() throws {
    kill(pid, SIGCONT)
    // WCONTINUED
    waitpid(pid, nil, 8)
  }
}
