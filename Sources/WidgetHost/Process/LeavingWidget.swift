import CPlatform

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
  /// What it was sent and has not been written.
  var unsent: [UInt8] = []
  /// What is open, and for how long.
  var activities = OpenActivities()

  /// Its descriptors; one that it does not have is −1.
  var descriptors: [Int32] {
    [child.pidfd, groupKill, streams.input, streams.output, streams.errors]
  }
}

/// The activities of a widget that are open when the host ends.
nonisolated struct OpenActivities: Hashable, Sendable, Codable {
  var numbers: [Int] = []
  /// Whether the widget is notified when their time runs out.
  var areHeard = false
  /// How long they may continue.
  var limit: Duration = .zero
  /// The part of that time after the widget was notified.
  var lastMoments: Duration = .zero
  /// Whether a request was completed that may work on: the number 0 stands for that.
  var followRequest = false
}
