import WidgetRequests

/// What becomes of standard input that is filtered.
///
/// A class because a signal ends it at any time.
final class InputFilter {
  let content: RequestSpool
  var chain: ActChain?
  /// Whether it is printed as it was, unless all actions succeed.
  let givesBack: Bool
  private var isGivenBack = false

  init(content: RequestSpool, givesBack: Bool) {
    (self.content, self.givesBack) = (content, givesBack)
  }

  func cancel() {
    chain?.cancel()
    giveBack()
  }

  /// Prints what was read of the input as it was, once.
  func giveBack() {
    guard givesBack, !isGivenBack else { return }
    isGivenBack = true
    try? ResultOutput.write(content)
  }
}
