import CPlatform
import Glibc

/// A process that the host started and that it collects in any case.
///
/// This is a class because it owns a pidfd and the watch on it.
@MainActor package final class ChildProcess {
  /// What a process shares with the host.
  package enum Isolation {
    /// A session of its own, without a terminal; all its descendants end with it and with the host.
    case widget
    /// A session of its own that outlives the host, with its descendants.
    case detached
    /// A session of its own; the process ends with the host, but not what goes on in another session or after it.
    case command
    /// The host's terminal, with the process's own group in the foreground; its descendants continue
    /// after it ends.
    case foreground(terminal: Int32)

    fileprivate var isNewSession: Bool {
      if case .foreground = self { false } else { true }
    }

    fileprivate var isContained: Bool {
      if case .widget = self { true } else { false }
    }

    fileprivate var endsWithHost: Bool {
      if case .command = self { true } else { false }
    }

    fileprivate var terminal: Int32 {
      if case .foreground(let terminal) = self { terminal } else { -1 }
    }
  }

  private let child: platform_child
  /// Nil if it has none.
  private let group: ControlGroup?
  private var watch: DescriptorWatch?
  private var onExit: ((TerminationStatus) -> Void)?
  private(set) var cpu: Duration = .zero
  private let start = ContinuousClock.now
  /// Whether the kernel has ended it because its control group had no memory left.
  private(set) var ranOutOfMemory = false
  /// The number of processes that had left the process group when it was stopped.
  private var strayCount = 0

  /// Starts a process.
  ///
  /// - Parameters:
  ///   - launch: The program.
  ///   - isolation: What it shares with the host.
  ///   - streams: Descriptors for 0, 1 and 2; nil keeps the host's own.
  ///   - files: Descriptors that it gets behind the inputs of its launch.
  ///   - limits: Its own limits.
  ///   - group: The limits of a control group for it and its descendants, where there are any; nil for none.
  ///   - onExit: Called once, on the main thread, after the process was collected.
  /// - Throws: ``HostError`` if it cannot be started.
  init(
    _ launch: LaunchDescription,
    _ isolation: Isolation,
    streams: [Int32?] = [nil, nil, nil],
    files: [Int32] = [],
    limits: ProcessLimits? = nil,
    group: ControlGroup.Limits? = nil,
    onExit: @escaping (TerminationStatus) -> Void
  ) throws(HostError) {
    let group = group.flatMap { ControlGroups.current?.make($0) }
    let folder = group?.open() ?? -1
    defer { if folder >= 0 { close(folder) } }
    do throws(HostError) {
      child = try Self.spawn(
        launch,
        isolation,
        streams: streams,
        files: files,
        limits: limits,
        in: folder
      )
    } catch {
      if let group { ControlGroups.current?.end(group) }
      throw error
    }
    // Where the kernel refuses it, the other ways to find, suspend and end the process remain.
    if let group, child.group_error != 0 { ControlGroups.current?.end(group) }
    self.group = child.group_error == 0 ? group : nil
    self.onExit = onExit
    if child.run != 0, self.group == nil { RunCensus.begin(run) }
    watch = DescriptorWatch(child.pidfd, for: .reading) { [weak self] in self?.collect() }
    watch?.resume()
  }

  isolated deinit { stopWatching() }

  private func stopWatching() {
    guard let watch else { return }
    watch.pause()
    close(watch.descriptor)
    self.watch = nil
    RunCensus.end(run)
  }

  /// Stops watching the process, and passes its pidfd to the caller, with the file that kills its control group
  /// (−1 for none); nil if it has ended.
  func release() -> (child: platform_child, groupKill: Int32)? {
    guard onExit != nil, let watch else { return nil }
    onExit = nil
    watch.pause()
    self.watch = nil
    RunCensus.end(run)
    return (child, group?.openKill() ?? -1)
  }

  var pid: pid_t { child.pid }

  /// All its processes; for a process that is not contained, only its group.
  var run: ProcessRun { ProcessRun(leader: child.pid, mark: child.run, group: group) }

  /// The processor time that all its processes have used so far, as far as they are known.
  var presentTime: Duration { group?.time ?? RunCensus.time(of: run, withLeader: true) }

  /// Sends a signal to all processes in the process's group.
  func signal(_ number: Int32) {
    guard onExit != nil else { return }
    _ = platform_signal_group(pid, number)
  }

  /// Sends a signal to all its processes except the first one; to that one if there is no other.
  func signalFollowers(_ number: Int32) {
    guard onExit != nil else { return }
    var run = platform_run(leader: child.pid, mark: child.run)
    if unsafe platform_signal_followers(&run, number) == 0 { signal(number) }
  }

  /// Stops all its processes: its process group and those that have left it.
  func suspend() {
    signal(SIGSTOP)
    if group?.freeze() != true { strayCount = signalStrays(SIGSTOP) }
  }

  /// Resumes all processes that ``suspend()`` has stopped.
  func resume() {
    group?.thaw()
    if strayCount > 0 { strayCount = signalStrays(SIGCONT) }
    signal(SIGCONT)
  }

  private func signalStrays(_ number: Int32) -> Int {
    guard onExit != nil, child.run != 0 else { return 0 }
    var run = platform_run(leader: child.pid, mark: child.run)
    return unsafe platform_signal_strays(&run, number)
  }

  /// Whether the processor time of processes that outlive it is worth a scan of all processes: what those of a
  /// script have used that has ended in a moment is not.
  private var hasStrayTime: Bool {
    child.run != 0 && group == nil && ContinuousClock.now - start > Self.moment
  }

  private static let moment = Duration.seconds(1)

  private func collect() {
    var exit = platform_exit()
    var child = child
    let strayTime = hasStrayTime ? RunCensus.time(of: run, withLeader: false) : .zero
    let result = unsafe platform_reap(&child, &exit)
    guard result != EAGAIN else { return }
    stopWatching()
    cpu = .microseconds(Int64(exit.cpu_microseconds)) + strayTime
    if let group {
      group.kill()
      cpu = group.time ?? cpu
      ranOutOfMemory = group.ranOutOfMemory
      ControlGroups.current?.end(group)
    }
    let report = onExit
    onExit = nil
    guard result == 0 else {
      report?(.unknown)
      return
    }
    report?(TerminationStatus(exit))
  }

  /// Starts a process that the caller collects.
  ///
  /// - Parameters:
  ///   - launch: The program.
  ///   - isolation: What it shares with the host.
  ///   - streams: Descriptors for 0, 1 and 2; nil keeps the host's own.
  ///   - files: Descriptors that it gets behind the inputs of its launch.
  ///   - limits: Its own limits.
  ///   - group: The opened folder of the control group in which it starts; −1 for that of the host.
  /// - Returns: The process.
  /// - Throws: ``HostError`` if it could not be started.
  nonisolated static func spawn(
    _ launch: LaunchDescription,
    _ isolation: Isolation,
    streams: [Int32?] = [nil, nil, nil],
    files: [Int32] = [],
    limits: ProcessLimits? = nil,
    in group: Int32 = -1
  ) throws(HostError) -> platform_child {
    let own = launch.openInputs()
    defer { for input in own where input >= 0 { close(input) } }
    let inputs = own + files
    let arguments = [launch.program] + launch.arguments
    let environment = launch.environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    var child = platform_child()
    let result = unsafe withCStrings(arguments) { arguments in
      unsafe withCStrings(environment) { environment in
        unsafe launch.program.withCString { path in
          unsafe launch.folder.withCString { directory in
            unsafe inputs.withUnsafeBufferPointer { inputs in
              var request = unsafe platform_spawn_request(
                path: path,
                arguments: arguments,
                environment: environment,
                directory: directory,
                streams: (streams[0] ?? -1, streams[1] ?? -1, streams[2] ?? -1),
                inputs: inputs.baseAddress,
                input_count: inputs.count,
                new_session: isolation.isNewSession ? 1 : 0,
                is_contained: isolation.isContained ? 1 : 0,
                ends_with_parent: isolation.endsWithHost ? 1 : 0,
                foreground_terminal: isolation.terminal,
                control_group: group,
                memory_limit: limits?.memoryBytes ?? 0,
                file_size_limit: limits?.fileBytes ?? 0,
                descriptor_limit: limits?.descriptors ?? 0
              )
              return unsafe platform_spawn(&request, &child)
            }
          }
        }
      }
    }
    guard result == 0 else { throw .launch(launch.program, result) }
    return child
  }
}

/// Calls `body` with the strings in C's form: pointers followed by NULL.
private func withCStrings<Result>(
  _ strings: [String],
  _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
  let copies = unsafe strings.map { unsafe strdup($0) }
  defer {
    for index in unsafe copies.indices { unsafe free(copies[index]) }
  }
  return unsafe (copies + [nil]).withUnsafeBufferPointer { buffer in
    guard let base = buffer.baseAddress else { preconditionFailure("an array that is never empty") }
    return unsafe body(base)
  }
}
