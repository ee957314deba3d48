import WidgetKitCore

/// Bundles that were changed on the disk while their cards are on the page.
extension WidgetCenter {
  /// Takes over the bundle of a card where its manifest is another one than that which was read, or
  /// its program another one than that which was started.
  ///
  /// The old process is ended in the normal way. What is wrong with the new bundle is said on the
  /// page, and the old one stays.
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
