import CPlatform

/// Calls a handler with each signal of some that comes, in place of what the signal would do.
///
/// It goes on until ``pause()``, also when nobody holds it: the signals stay blocked.
@MainActor package final class SignalWatch {
  private let watch: DescriptorWatch

  /// Begins to watch; nil without a free descriptor, and the signals then do what they always do.
  package init?(_ numbers: [Int32], _ handler: @escaping (Int32) -> Void) {
    let descriptor = unsafe platform_signal_watch(numbers, numbers.count)
    guard descriptor >= 0 else { return nil }
    let watch = DescriptorWatch(descriptor, for: .reading)
    watch.handler = { [weak watch] in
      while watch?.isActive == true {
        let number = platform_signal_next(descriptor)
        guard number != 0 else { return }
        handler(number)
      }
    }
    watch.resume()
    self.watch = watch
  }

  /// Leaves the signals to another watch.
  package func pause() { watch.pause() }

  /// Watches again.
  package func resume() { watch.resume() }
}
