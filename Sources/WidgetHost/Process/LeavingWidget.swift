import CPlatform
import Glibc

/// A widget whose expiring activities continue after the host has ended.
///
/// It owns the host's ends of the widget's streams and the pidfd until it is passed on.
package nonisolated struct LeavingWidget {
  /// The first process of the widget.
  var child: platform_child
  /// The file that kills its control group; −1 if it has none.
  var groupKill: Int32 = -1
  /// The ends of standard input, output and errors; −1 for one that is closed.
  var streams: (input: Int32, output: Int32, errors: Int32)
  /// The part of a line of its output that was read already.
  var pending: [UInt8]
  /// What is open, and for how long.
  var activities = OpenActivities()

  /// Lets widgets finish what they have begun, in a process that outlives the host and then ends them.
  ///
  /// Returns false if there can be no such process; the widgets then end with the host.
  static func handOver(_ widgets: [LeavingWidget]) -> Bool {
    defer { for widget in widgets { widget.close() } }
    // One allocation for all, which must stay where it is during the call.
    let numbers = widgets.map { $0.activities.numbers.map(Int32.init(clamping:)) }
    let storage = UnsafeMutablePointer<Int32>.allocate(capacity: numbers.joined().count + 1)
    let pending = UnsafeMutablePointer<UInt8>.allocate(
      capacity: widgets.reduce(1) { $0 + $1.pending.count }
    )
    defer {
      unsafe storage.deallocate()
      unsafe pending.deallocate()
    }
    var numberCount = 0
    var byteCount = 0
    var leavers: [platform_leaver] = unsafe []
    for (widget, numbers) in zip(widgets, numbers) {
      unsafe leavers.append(
        platform_leaver(
          child: widget.child,
          input: widget.streams.input,
          output: widget.streams.output,
          errors: widget.streams.errors,
          group_kill: widget.groupKill,
          activities: storage + numberCount,
          activity_count: numbers.count,
          pending: pending + byteCount,
          pending_count: widget.pending.count,
          hears_expiry: widget.activities.areHeard ? 1 : 0,
          milliseconds: widget.activities.limit.wholeMilliseconds,
          last_milliseconds: widget.activities.lastMoments.wholeMilliseconds
        )
      )
      for number in numbers {
        unsafe storage[numberCount] = number
        numberCount += 1
      }
      for byte in widget.pending {
        unsafe pending[byteCount] = byte
        byteCount += 1
      }
    }
    return unsafe platform_leave(leavers, leavers.count) == 0
  }

  private func close() {
    for descriptor in [child.pidfd, groupKill, streams.input, streams.output, streams.errors]
    where descriptor >= 0 {
      Glibc.close(descriptor)
    }
  }
}

/// The activities of a widget that are open when the host ends.
nonisolated struct OpenActivities: Hashable, Sendable {
  var numbers: [Int] = []
  /// Whether the widget is told when their time runs out.
  var areHeard = false
  /// How long they may continue.
  var limit: Duration = .zero
  /// The part of that time after the widget was told.
  var lastMoments: Duration = .zero
}

extension Duration {
  fileprivate nonisolated var wholeMilliseconds: Int32 {
    Int32(clamping: components.seconds.multipliedReportingOverflow(by: 1000).partialValue)
      + Int32(clamping: components.attoseconds / 1_000_000_000_000_000)
  }
}
