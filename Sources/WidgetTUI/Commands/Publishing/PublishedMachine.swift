import WidgetKitCore
import WidgetPlatform
import WidgetScripts

/// A folder of another machine with a page as HTML and SVG, through the user's ssh.
///
/// A class because it knows what is there.
final class PublishedMachine: PublishedPlace {
  var onReturn: () -> Void = {}
  private let drop: RemoteDrop
  private let name: String
  /// Whether the user has agreed to files beside those of others.
  private let isAgreed: Bool
  /// What is said of the folder; nil if that is not known.
  private var known: PublishMarker?

  init(
    _ destination: RemoteDestination,
    _ folder: String,
    isAgreed: Bool,
    environment: [String: String]
  ) {
    drop = RemoteDrop(folder, on: destination, marker: PublishMarker.name, environment: environment)
    name = "\(destination):\(folder)"
    self.isAgreed = isAgreed
  }

  func publish(_ edition: PublishedEdition) async throws(PublishFault) {
    let found = try await marker()
    let step = PublishStep(edition.files, of: edition.page.title.string, found)
    guard !step.isNothing(found) else { return }
    let marker = { (marker: PublishMarker) in (name: PublishMarker.name, bytes: marker.bytes) }
    let files = (step.before.map { [marker($0)] } ?? []) + step.written + [marker(step.after)]
    // Until it has answered, nothing is known for certain.
    known = nil
    try await drop.put(files, removing: step.removed).fault()
    known = step.after
  }

  func close() async {}

  /// What is said of the folder there; nil for one that has nothing yet.
  private func marker() async throws(PublishFault) -> PublishMarker? {
    if let known { return known }
    switch try await drop.content().fault() {
    case .nothing: return nil
    case .marked(let bytes):
      guard let marker = PublishMarker(bytes) else {
        throw PublishFault(
          words: "\(name)/\(PublishMarker.name) is damaged; "
            + "remove it, if this folder is for the page",
          isFinal: true
        )
      }
      return marker
    case .others(let file):
      guard !isAgreed else { return nil }
      throw PublishFault(
        words: "\(name) has files that “today publish” has not written, such as \(SafeText(file)); "
          + "name another folder, or agree with --yes",
        isFinal: true
      )
    }
  }
}

extension Result where Failure == RemoteFailure {
  /// The value, or the words about a failure, which may be gone the next time.
  fileprivate func fault() throws(PublishFault) -> Success {
    do throws(RemoteFailure) {
      return try get()
    } catch {
      throw PublishFault(words: error.description)
    }
  }
}
