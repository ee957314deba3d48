/// The schedule in force, which the user can change while cards wait by it.
///
/// A class because all cards of a page share it.
final class PresentSchedule {
  /// The schedule; whoever sets another one plans the updates of all cards anew.
  var value: RefreshSchedule

  init(_ value: RefreshSchedule) {
    self.value = value
  }
}
