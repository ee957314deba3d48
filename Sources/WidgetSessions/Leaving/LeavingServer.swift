import CPlatform
import FoundationEssentials
import Glibc
import WidgetExtensions
import WidgetKitCore
import WidgetPlatform

/// Lets widgets finish what they have begun when the host ends.
///
/// A process that outlives the host ends them. It starts this program again, which gives them what they
/// need until then: their defaults, notifications by name, and coordinated accesses.
package struct LeavingServer {
  /// The hidden command that serves widgets.
  static let command = "serve-leaving"

  private let executable: String
  private let environment: [String: String]

  /// How much longer than its widgets the program may run: to start, and for them to exit.
  private static let allowance: Int32 = 3_000

  /// Creates the server of the program at a path.
  package init(executable path: String, environment: [String: String]) {
    // Where the program was replaced by a newer one, this is still the one that runs.
    executable = path.hasSuffix(" (deleted)") ? "/proc/self/exe" : path
    self.environment = environment
  }

  /// Passes widgets on; false if there can be no such process, and they end with the host.
  package func handOver(_ sessions: [LeavingSession]) -> Bool {
    let order = LeavingOrder(widgets: sessions.map(LeavingOrder.Widget.init))
    let file = (try? JSONEncoder().encode(order)).map { MemoryFile.open(Array($0)) } ?? -1
    defer {
      for session in sessions {
        for descriptor in session.widget.descriptors where descriptor >= 0 { close(descriptor) }
        session.shared.close()
      }
      if file >= 0 { close(file) }
    }
    let descriptors = sessions.flatMap(\.shared.descriptors) + [file]
    let longest = sessions.map(\.widget.activities.limit.wholeMilliseconds).max() ?? 0
    let words = CStrings([executable, Self.command, "\(file)"])
    let variables = CStrings(environment.map { "\($0.key)=\($0.value)" })
    return unsafe descriptors.withUnsafeBufferPointer { descriptors in
      guard let path = unsafe words.pointers[0] else { return false }
      var server = unsafe platform_leaving_server(
        path: path,
        arguments: words.base,
        environment: variables.base,
        descriptors: descriptors.baseAddress,
        descriptor_count: descriptors.count,
        milliseconds: longest.addingSaturated(Self.allowance)
      )
      return unsafe withUnsafePointer(to: &server) { server in
        unsafe Self.leave(sessions.map(\.widget), file >= 0 ? server : nil)
      }
    }
  }

  private static func leave(
    _ widgets: [LeavingWidget],
    _ server: UnsafePointer<platform_leaving_server>?
  ) -> Bool {
    // One allocation for all, which must stay where it is during the call.
    let numbers = widgets.map { $0.activities.numbers.map(Int32.init(clamping:)) }
    // Never empty, so that it has an address.
    let activities: [Int32] = numbers.joined() + [0]
    let pending = widgets.flatMap(\.pending)
    return unsafe activities.withUnsafeBufferPointer { activities in
      guard let first = activities.baseAddress else { return false }
      return unsafe pending.withUnsafeBufferPointer { pending in
        var leavers: [platform_leaver] = unsafe []
        var (number, byte) = (0, 0)
        for (widget, numbers) in zip(widgets, numbers) {
          unsafe leavers.append(
            platform_leaver(
              child: widget.child,
              input: widget.streams.input,
              output: widget.streams.output,
              errors: widget.streams.errors,
              group_kill: widget.groupKill,
              activities: first + number,
              activity_count: numbers.count,
              pending: pending.baseAddress.map { unsafe $0 + byte },
              pending_count: widget.pending.count,
              hears_expiry: widget.activities.areHeard ? 1 : 0,
              milliseconds: widget.activities.limit.wholeMilliseconds,
              last_milliseconds: widget.activities.lastMoments.wholeMilliseconds
            )
          )
          number += numbers.count
          byte += widget.pending.count
        }
        return unsafe platform_leave(leavers, leavers.count, server) == 0
      }
    }
  }
}

/// Strings for C, ended by NULL, as long as this object lives.
@safe private final class CStrings {
  let pointers: [UnsafeMutablePointer<CChar>?]
  let base: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

  init(_ strings: [String]) {
    unsafe pointers = strings.map { unsafe strdup($0) } + [nil]
    unsafe base = .allocate(capacity: pointers.count)
    unsafe base.initialize(from: pointers, count: pointers.count)
  }

  deinit {
    for index in unsafe pointers.indices { unsafe free(pointers[index]) }
    unsafe base.deallocate()
  }
}
