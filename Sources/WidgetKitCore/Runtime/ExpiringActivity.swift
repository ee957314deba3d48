import Dispatch

/// Work that the host is asked not to interrupt.
@MainActor
final class ExpiringActivity {
  private let block: @MainActor (Bool) async -> Void

  init(_ block: @escaping @MainActor (Bool) async -> Void) {
    self.block = block
  }

  func run(expired: Bool) async {
    await block(expired)
  }
}

extension WidgetContext {
  /// Performs short work during which the host should not suspend the widget (ProcessInfo).
  ///
  /// If the host grants it, `block` is called with false. The activity ends when this call returns,
  /// so wait in it for all parts of the work. If the time runs out earlier, `block` is also called
  /// with true, **while the first call is still waiting**: cancel the work. If the host does not
  /// grant it, `block` is only called with true: do not begin.
  ///
  /// - Parameters:
  ///   - reason: A short word for the log; not empty.
  ///   - block: The work; its argument is true if the time has run out.
  public func performExpiringActivity(
    reason: String,
    _ block: @escaping @MainActor (_ expired: Bool) async -> Void
  ) {
    let activity = ExpiringActivity(block)
    Task.immediate {
      do {
        let grant = try await host.request(BeginExpiringActivityRequest(reason: reason))
        guard !grant.expired else { return await activity.run(expired: true) }
        activities[grant.activity] = activity
        await activity.run(expired: false)
        // It is absent if the host has already ended it.
        activities[grant.activity] = nil
        host.notify(EndExpiringActivityNotification(activity: grant.activity))
      } catch {
        log("expiring activity “\(reason)”: \(error)", level: "error")
        await activity.run(expired: true)
      }
    }
  }

  /// Performs short work during which the host should not suspend the widget (ProcessInfo).
  ///
  /// `block` is called on a separate queue, where it may block. If the host grants it, `block` is
  /// called with false. If the time runs out before that call returns, it is also called with true,
  /// **while the first call is still running**: cancel the work. If the host does not grant it,
  /// `block` is only called with true: do not begin. The activity ends when the first call returns,
  /// so wait in it for work that continues elsewhere.
  ///
  /// - Parameters:
  ///   - reason: A short word for the log; not empty.
  ///   - block: The work; its argument is true if the time has run out.
  public func performExpiringActivity(
    withReason reason: String,
    using block: @escaping @Sendable (_ expired: Bool) -> Void
  ) {
    performExpiringActivity(reason: reason) { expired in
      await withCheckedContinuation { continuation in
        // Threads of the task pool must not block, those of this queue may.
        Self.activityQueue.async {
          block(expired)
          continuation.resume()
        }
      }
    }
  }

  private static let activityQueue = DispatchQueue(
    label: "expiring activities",
    attributes: .concurrent
  )

  func expire(_ identifier: Int) {
    guard let activity = activities[identifier] else { return }
    Task.immediate { await activity.run(expired: true) }
  }
}
