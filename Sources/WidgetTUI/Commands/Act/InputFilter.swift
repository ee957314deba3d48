import Glibc
import WidgetRequests

/// What becomes of standard input that is filtered.
///
/// A class because a signal ends it at any time.
final class InputFilter {
  let content: RequestSpool
  var chain: ActChain?
  private let givesBack: Bool
  private var isGivenBack = false

  init(content: RequestSpool, givesBack: Bool) {
    (self.content, self.givesBack) = (content, givesBack)
  }

  func cancel() {
    chain?.cancel()
    giveBack()
  }

  /// Prints the input as it was, once.
  func giveBack() {
    guard givesBack, !isGivenBack else { return }
    isGivenBack = true
    _ = content.copy(to: STDOUT_FILENO)
  }
}
