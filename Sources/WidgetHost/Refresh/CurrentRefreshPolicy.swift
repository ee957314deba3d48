/// The policy in force, which the user can change while cards wait by it.
///
/// A class because all cards of a page share it.
final class CurrentRefreshPolicy {
  /// The policy; whoever sets another one plans the updates of all cards again.
  var value: RefreshPolicy

  init(_ value: RefreshPolicy) {
    self.value = value
  }
}
