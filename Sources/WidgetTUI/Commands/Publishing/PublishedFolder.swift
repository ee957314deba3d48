import WidgetKitCore
import WidgetPlatform

/// A folder of this machine with a page as HTML and SVG.
final class PublishedFolder: PublishedPlace {
  var onReturn: () -> Void = {}
  private let path: String
  /// Whether the user has agreed to files beside, and in place of, those of others.
  private let isAgreed: Bool

  init(_ path: String, isAgreed: Bool) {
    (self.path, self.isAgreed) = (path, isAgreed)
  }

  func publish(_ edition: PublishedEdition) async throws(PublishFault) {
    let (path, isAgreed, page) = (path, isAgreed, edition.page.title.string)
    let files = edition.files
    let result: Result<Void, PublishFault> = await withCheckedContinuation { continuation in
      // A folder may be on a disk that is slow to answer.
      Worker.background.async {
        do throws(PublishFault) {
          try FolderWriter(path).write(files, of: page, besideOthers: isAgreed)
          continuation.resume(returning: .success(()))
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    }
    try result.get()
  }

  func close() async {}
}
