import FoundationEssentials
import Glibc
import WidgetExtensions
import WidgetKitCore
import WidgetPlatform

/// Serves widgets after the host has ended, until all have ended.
@MainActor public final class LeavingHost {
  /// The hidden command that is served by one.
  public nonisolated static let command = LeavingServer.command

  private var guests: [LeavingGuest] = []
  private let watch: SharedDataWatch
  private let clock = SystemClock()
  private let order: LeavingOrder
  private var completion: (() -> Void)?

  /// The most bytes of what the host tells.
  private static let byteLimit = 64 << 20

  /// Creates one for the order in an open file; nil if there is none.
  public init?(order file: Int32, environment: [String: String]) {
    guard file > 2, fcntl(file, F_GETFD) >= 0 else { return nil }
    let file = Descriptor(file)
    guard let size = file.status()?.st_size, size <= Self.byteLimit,
      let order = try? JSONDecoder().decode(LeavingOrder.self, from: Data(file.read(Int(size))))
    else { return nil }
    self.order = order
    watch = SharedDataWatch(clock: clock, folders: StateFolders(environment: environment))
    Worker.startAll()
  }

  /// Serves the widgets; `completion` is called once, when all have ended and everything was written.
  public func run(completion: @escaping () -> Void) {
    self.completion = completion
    guests = order.widgets.map { widget in
      LeavingGuest(widget, watch: watch, clock: clock) { [weak self] in self?.guestDidEnd() }
    }
    for guest in guests { guest.start() }
    guestDidEnd()
  }

  private func guestDidEnd() {
    guard guests.allSatisfy(\.hasEnded), let completion else { return }
    self.completion = nil
    // What a widget wrote last is still being written.
    Worker.background.drain()
    completion()
  }
}
