/// Calls a handler while a descriptor can be read or written.
///
/// A class because the loop and the owner share it. It does not close the descriptor, and has to be paused
/// before somebody does.
public final class DescriptorWatch {
  /// What the handler is called for.
  public enum Interest {
    /// There is something to read, or its end.
    case reading
    /// There is room to write, or nobody reads any more.
    case writing
  }

  /// The descriptor.
  public let descriptor: Int32
  private let interest: Interest
  private let loop: EventLoop
  /// What is called; it may be set after the creation, by an owner that calls itself.
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

  /// Whether the handler is called.
  public var isActive: Bool { token != nil }

  /// Begins to call the handler.
  ///
  /// - Returns: Whether the kernel can watch the descriptor; a regular file it cannot.
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
