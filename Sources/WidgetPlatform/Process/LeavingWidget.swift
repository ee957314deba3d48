package import CPlatform

/// A widget whose expiring activities continue after the host has ended.
///
/// It owns the host's ends of the widget's streams and the pidfd until it is passed on.
package struct LeavingWidget {
  /// The first process of the widget.
  package var child: platform_child
  /// The file that kills its control group; −1 if it has none.
  package var groupKill: Int32 = -1
  /// The ends of standard input, output and errors; −1 for one that is closed.
  package var streams: (input: Int32, output: Int32, errors: Int32)
  /// The part of a line of its output that was read already.
  package var pending: [UInt8]
  /// What it was sent and has not been written.
  package var unsent: [UInt8] = []
  /// What is open, and for how long.
  package var activities = OpenActivities()

  /// Its descriptors; one that it does not have is −1.
  package var descriptors: [Int32] {
    [child.pidfd, groupKill, streams.input, streams.output, streams.errors]
  }
}

/// The activities of a widget that are open when the host ends.
package struct OpenActivities: Hashable, Sendable, Codable {
  package var numbers: [Int] = []
  /// Whether the widget is notified when their time runs out.
  package var areHeard = false
  /// How long they may continue.
  package var limit: Duration = .zero
  /// The part of that time after the widget was notified.
  package var lastMoments: Duration = .zero
  /// Whether a request was completed that may work on: the number 0 stands for that.
  package var followRequest = false

  /// Creates it with its values.
  package init(
    numbers: [Int] = [],
    areHeard: Bool = false,
    limit: Duration = .zero,
    lastMoments: Duration = .zero,
    followRequest: Bool = false
  ) {
    self.numbers = numbers
    self.areHeard = areHeard
    self.limit = limit
    self.lastMoments = lastMoments
    self.followRequest = followRequest
  }
}
