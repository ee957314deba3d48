import Dispatch

/// Work that the host was asked not to cut off.
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
  /// Does short work that the host should not suspend the widget in (ProcessInfo).
  ///
  /// Where the host grants it, `block` is called with false; the host waits until the call
  /// returns, so wait in it for everything that belongs to the work. When time runs out before,
  /// `block` is called once more with true **while the first call still waits**: cancel. Where
  /// the host does not grant it, `block` is called with true alone: do not begin.
  ///
  /// - Parameters:
  ///   - reason: A short word for the developer; not empty.
  ///   - block: The work; its argument says whether time has run out.
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
        // Gone where the host has ended it already.
        activities[grant.activity] = nil
        host.notify(EndExpiringActivityNotification(activity: grant.activity))
      } catch {
        log("expiring activity “\(reason)”: \(error)", level: "error")
        await activity.run(expired: true)
      }
    }
  }

  /// Does short work that the host should not suspend the widget in, as ProcessInfo's method does.
  ///
  /// `block` is called on a queue of its own, where it may wait and block: with false where the host
  /// grants it, and once more with true, **while the first call still runs**, when time runs out
  /// before that returns. Where the host does not grant it, it is called with true alone: do not
  /// begin. The host waits until the first call returns; work that was handed on from it is not
  /// waited for, so wait in the block for that, and let the call with true cancel it.
  ///
  /// - Parameters:
  ///   - reason: A short word for the developer; not empty.
  ///   - block: The work; its argument says whether time has run out.
  public func performExpiringActivity(
    withReason reason: String,
    using block: @escaping @Sendable (_ expired: Bool) -> Void
  ) {
    performExpiringActivity(reason: reason) { expired in
      await withCheckedContinuation { continuation in
        // Threads of the task pool must not wait for each other, and those of this queue may.
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
