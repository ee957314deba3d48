/// Sends a signal to a process of the machine, for widgets that list them.
///
/// `{"jsonrpc":"2.0","id":4,"method":"sendSignal","params":{"process":812,"startTime":48213,"signal":15}}`
public struct SendSignalRequest: RequestMessage, Hashable {
  /// The method is `sendSignal`.
  public static let method = "sendSignal"
  /// Nothing.
  public typealias Reply = NoMembers

  /// The number of the process, from 1.
  public var process: Int32
  /// When it was started, in clock ticks since the start of the system (`starttime` in `/proc/PID/stat`): another
  /// process may have the number by now.
  public var startTime: UInt64
  /// The number of the signal, 1 to 64.
  public var signal: Int32

  /// Creates the request.
  public init(process: Int32, startTime: UInt64, signal: Int32) {
    (self.process, self.startTime, self.signal) = (process, startTime, signal)
  }
}
