import CPlatform
import FoundationEssentials
import Glibc
import Testing
import WidgetTestSupport

@testable import EngineTestSupport
@testable import WidgetPlatform

/// Real control groups, in one that the test makes; for root, as on other systems they need a scope of systemd.
@Suite(.enabled(if: TestControlGroup.canBeMade), .timeLimit(.minutes(5)))
struct ControlGroupTests {
  private func spawn(_ command: String, in group: ControlGroup) throws -> platform_child {
    let folder = group.open()
    defer { close(folder) }
    let launch = LaunchDescription(
      program: "/bin/sh",
      arguments: ["-c", command],
      environment: ["PATH": "/usr/bin:/bin"]
    )
    return try ChildProcess.spawn(launch, .detached, in: folder)
  }

  private func collect(_ child: platform_child) async {
    var exit = platform_exit()
    var child = child
    await eventually("its end") { unsafe platform_reap(&child, &exit) != EAGAIN }
    close(child.pidfd)
  }

  private static let limits = ControlGroup.Limits(memoryBytes: 64 << 20, tasks: 10)

  @Test func `a process starts in its group, with all that leaves its session`() async throws {
    let place = try TestControlGroup()
    let groups = try ControlGroups(dividing: place.place)
    let group = try #require(groups.make(Self.limits))
    let child = try spawn("setsid sleep 600 & setsid setsid sleep 600 & exec sleep 600", in: group)
    #expect(child.group_error == 0)
    await eventually("three processes") { group.processCount == 3 }
    #expect(ProcFile.text("/proc/\(child.pid)/cgroup")?.contains("/widgets/1\n") == true)
    #expect(group.time != nil)
    groups.end(group)
    await collect(child)
    await eventually("nothing in it") { group.processCount == 0 }
    await eventually("the group to be gone") { group.remove() }
  }

  @Test func `a frozen group does nothing, and continues`() async throws {
    let place = try TestControlGroup()
    let groups = try ControlGroups(dividing: place.place)
    let group = try #require(groups.make(Self.limits))
    let child = try spawn("setsid sh -c 'while :; do :; done' & exec sleep 600", in: group)
    await eventually("work") { (group.time ?? .zero) > .milliseconds(20) }
    #expect(group.freeze())
    await eventually("all to be frozen") {
      ControlGroupFile.values(group.folder + "/cgroup.events")["frozen"] == 1
    }
    let before = group.time
    let own = try #require(ProcessState(getpid())).ticks
    await eventually("work of our own") { (ProcessState(getpid())?.ticks ?? 0) >= own + 20 }
    #expect(group.time == before)
    group.thaw()
    await eventually("more work") { group.time != before }
    groups.end(group)
    await collect(child)
  }

  @Test func `a frozen group can be killed`() async throws {
    let place = try TestControlGroup()
    let groups = try ControlGroups(dividing: place.place)
    let group = try #require(groups.make(Self.limits))
    let child = try spawn("exec sleep 600", in: group)
    #expect(group.freeze())
    groups.end(group)
    await collect(child)
    await eventually("the group to be gone") { group.remove() }
  }

  @Test func `a refused group leaves the process in that of its parent, and says so`() throws {
    let folder = unsafe open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(folder) }
    let launch = LaunchDescription(program: "/bin/true", environment: [:])
    let child = try ChildProcess.spawn(launch, .detached, in: folder)
    #expect(child.group_error == EBADF)
    var ended = pollfd(fd: child.pidfd, events: Int16(POLLIN), revents: 0)
    #expect(unsafe poll(&ended, 1, 10_000) == 1)
    var exit = platform_exit()
    var copy = child
    #expect(unsafe platform_reap(&copy, &exit) == 0)
    #expect(exit.code == 0)
    close(child.pidfd)
  }

  @Test func `a program that cannot be started is an error in a group too`() throws {
    let place = try TestControlGroup()
    let groups = try ControlGroups(dividing: place.place)
    let group = try #require(groups.make(Self.limits))
    let folder = group.open()
    defer { close(folder) }
    let launch = LaunchDescription(program: "/nonexistent", environment: [:])
    #expect(throws: HostError.launch("/nonexistent", ENOENT)) {
      try ChildProcess.spawn(launch, .detached, in: folder)
    }
    groups.end(group)
    #expect(unsafe access(group.folder, F_OK) != 0)
  }

  @Test func `a folder that is no control group cannot be divided`() {
    #expect(throws: ControlGroups.Obstacle.self) {
      try ControlGroups(dividing: ControlGroupPlace(folder: "/proc/self"))
    }
  }
}

extension TestControlGroup {
  nonisolated fileprivate var place: ControlGroupPlace { ControlGroupPlace(folder: folder) }
}
