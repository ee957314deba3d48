import CPlatform
import FoundationEssentials
import WidgetExtensions
import WidgetKitCore
import WidgetPlatform

/// What a host that ends tells the process that serves widgets after it.
struct LeavingOrder: Sendable, Codable {
  var widgets: [Widget]

  /// A widget that may finish something; the descriptors are open in both processes, with the same numbers.
  struct Widget: Sendable, Codable {
    var process: Process
    var input: Int32
    var output: Int32
    var errors: Int32
    /// The part of a line of its output that was read already.
    var pending: Data
    /// What it was sent and has not been written.
    var unsent: Data
    var activities: Activities
    var shared: SharedDataHandover
    /// Its requests that nobody answers any more.
    var unanswered: [MessageID]
  }

  /// The first process of a widget.
  struct Process: Sendable, Codable {
    var pid: Int32
    var pidfd: Int32
    var run: UInt64
    /// The file that kills its control group; −1 if it has none.
    var groupKill: Int32

    /// Kills all processes of the widget, and closes the descriptors.
    func end() {
      var child = platform_child()
      (child.pid, child.pidfd, child.run) = (pid, pidfd, run)
      unsafe platform_end_left(&child, groupKill)
    }
  }

  /// What is open, and for how long, in milliseconds.
  struct Activities: Sendable, Codable {
    var numbers: [Int]
    var areHeard: Bool
    var limit: Int
    var lastMoments: Int
    /// Whether a request was completed, of whose end it is told.
    var followRequest: Bool
  }
}

extension LeavingOrder.Widget {
  init(_ session: LeavingSession) {
    let widget = session.widget
    process = LeavingOrder.Process(
      pid: widget.child.pid,
      pidfd: widget.child.pidfd,
      run: widget.child.run,
      groupKill: widget.groupKill
    )
    (input, output, errors) = widget.streams
    pending = Data(widget.pending)
    unsent = Data(widget.unsent)
    let activities = widget.activities
    self.activities = LeavingOrder.Activities(
      numbers: activities.numbers,
      areHeard: activities.areHeard,
      limit: Int(activities.limit.wholeMilliseconds),
      lastMoments: Int(activities.lastMoments.wholeMilliseconds),
      followRequest: activities.followRequest
    )
    shared = session.shared
    unanswered = session.unanswered
  }
}

extension Duration {
  /// The milliseconds, as C has them.
  var wholeMilliseconds: Int32 {
    Int32(clamping: components.seconds.multipliedReportingOverflow(by: 1000).partialValue)
      + Int32(clamping: components.attoseconds / 1_000_000_000_000_000)
  }
}
