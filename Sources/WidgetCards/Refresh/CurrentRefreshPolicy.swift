package import WidgetExtensions

/// The policy in force, which the user can change while cards wait by it.
///
/// A class because all cards of a page share it.
package final class CurrentRefreshPolicy {
  /// What the user has set; whoever sets another one plans the updates of all cards again.
  package var base: RefreshPolicy
  /// Whether updates that nobody sees should be rarer; nil if they never are.
  package let power: PowerSaving?

  package init(_ base: RefreshPolicy, power: PowerSaving? = nil) {
    self.base = base
    self.power = power
  }

  /// The policy at this moment.
  var value: RefreshPolicy {
    var policy = base
    policy.isSavingPower = base.savesPower && power?.isWanted ?? false
    return policy
  }
}
