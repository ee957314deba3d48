import WidgetKitCore

/// Handling of bundles that change on the disk while their cards are on the page.
extension WidgetCenter {
  /// Replaces the bundle of a card if its manifest differs from the one that was read, or its program
  /// from the one that was started.
  ///
  /// The old process is ended normally. If the new bundle has a problem, the page says so and the old
  /// bundle stays.
  func followBundle(of controller: CardController) {
    guard let session = controller.session, session.isOutdated else { return }
    let old = session.bundle
    if let problem = controller.bundleProblem { notices.forget(problem) }
    controller.bundleProblem = nil
    let bundle: WidgetBundle
    do throws(BundleError) {
      let byteLimit = configuration.limits.bundles.propertyListBytes
      bundle = try WidgetBundle(path: old.path, byteLimit: byteLimit)
    } catch {
      return refuse(SafeText(error.description), of: controller)
    }
    guard bundle.bundleIdentifier == old.bundleIdentifier else {
      let words =
        "\(old.path): the identifier was \(old.bundleIdentifier) and is now "
        + "\(bundle.bundleIdentifier); start today again to show that widget"
      return refuse(SafeText(words), of: controller)
    }
    page.replace(old, by: bundle, of: controller)
  }

  private func refuse(_ problem: SafeText, of controller: CardController) {
    controller.bundleProblem = problem
    controller.session?.log.write(SafeText("not reloaded: \(problem)"))
    notices.note(problem)
  }
}
