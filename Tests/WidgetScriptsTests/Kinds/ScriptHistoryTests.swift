import Dispatch
import Testing
import WidgetTestSupport
import WidgetTesting

@testable import WidgetPlatform
@testable import WidgetScripts

@MainActor @Suite struct `The numbers of a script` {
  @Test func `are there for its next start, also while they are being written`() async throws {
    let world = try TestWorld()
    let clock = VirtualClock()
    let file = "\(world.path)/history.json"
    let history = ScriptHistory(folder: world.path, clock: clock)
    for number in [40, 91, .infinity, 60] { _ = history.add(number, alert: nil) }

    let isHeld = DispatchSemaphore(value: 0)
    Worker.writing.async { isHeld.wait() }
    history.write()
    #expect(ScriptHistory(folder: world.path, clock: clock).memory.values == [40, 91, 60])
    #expect(DurableFile.read(file, byteLimit: 100) == nil)
    isHeld.signal()

    Worker.writing.drain()
    #expect(DurableFile.read(file, byteLimit: 100) != nil)
    #expect(ScriptHistory(folder: world.path, clock: clock).memory.values == [40, 91, 60])
    // What another host has written since is read once this one has nothing to write any more.
    try world.write(#"{"values": [7], "isAlerting": false}"#, to: file)
    await withCheckedContinuation { turn in DispatchQueue.main.async { turn.resume() } }
    #expect(ScriptHistory(folder: world.path, clock: clock).memory.values == [7])
  }
}
