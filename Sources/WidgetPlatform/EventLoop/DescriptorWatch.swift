/// Calls a handler while a descriptor can be read or written.
///
/// This is a class because the loop and the owner share it. It does not close the descriptor, and must
/// be paused before the descriptor is closed.
@MainActor public final class DescriptorWatch {
  /// The condition for which the handler is called.
  public enum Interest {
    /// There is data to read, or the end of the file.
    case reading
    /// There is room to write, or the reading end is closed.
    case writing
  }

  /// The descriptor.
  public let descriptor: Int32
  private let interest: Interest
  private let loop: EventLoop
  /// The handler; it may be set after the creation, by an owner that passes itself.
  public var handler: () -> Void
  private var token: UInt64?

  /// Creates a watch that is paused.
  public init(
    _ descriptor: Int32,
    for interest: Interest,
    on loop: EventLoop = .main,
    _ handler: @escaping () -> Void = {}
  ) {
    self.descriptor = descriptor
    self.interest = interest
    self.loop = loop
    self.handler = handler
  }

  /// Whether the descriptor is being watched.
  public var isActive: Bool { token != nil }

  /// Starts to call the handler.
  ///
  /// - Returns: Whether the kernel can watch the descriptor; it cannot watch a regular file.
  @discardableResult
  public func resume() -> Bool {
    if token == nil { token = loop.add(self, reads: interest == .reading) }
    return isActive
  }

  /// Stops calling the handler until ``resume()``.
  public func pause() {
    guard let token else { return }
    self.token = nil
    loop.remove(self, token)
  }

  func handle(canRead: Bool, canWrite: Bool) {
    if interest == .reading ? canRead : canWrite { handler() }
  }
}
