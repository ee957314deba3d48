import WidgetKitCore
import WidgetPlatform
import WidgetScripts

/// A folder of another machine with a page as HTML and SVG, through the user's ssh.
final class PublishedMachine: PublishedPlace {
  var onReturn: () -> Void = {}
  private let drop: RemoteDrop
  private let name: String
  /// Whether the user has agreed to files beside, and in place of, those of others.
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
    let page = edition.page.title.string
    let found = try await marker(of: page)
    let step = PublishStep(edition.files, of: page, found)
    guard !step.isNothing(found) else { return }
    let marker = { (marker: PublishMarker) in (name: PublishMarker.name, bytes: marker.bytes) }
    let files = (step.before.map { [marker($0)] } ?? []) + step.written + [marker(step.after)]
    let new = step.written.map(\.name).filter { found?.files[$0] == nil }
    // Until it has answered, nothing is known for certain.
    known = nil
    switch try await drop.put(files, removing: step.removed, new: isAgreed ? [] : new).fault() {
    case .done: known = step.after
    case .foreign(let file): throw .file(file, in: name)
    }
  }

  func close() async {}

  /// What is said of the folder there; nil for one that has nothing yet.
  private func marker(of page: String) async throws(PublishFault) -> PublishMarker? {
    if let known { return known }
    switch try await drop.content().fault() {
    case .nothing: return nil
    case .marked(let bytes):
      guard let marker = PublishMarker(bytes) else { throw .marker(of: name, "it is damaged") }
      guard isAgreed || marker.hasPage(page) else { throw .page(marker.page, in: name) }
      return marker
    case .others(let file):
      guard isAgreed else { throw .files(of: name, such: file) }
      return nil
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
