package import ExtensionContent
import Glibc
import WidgetKitCore
import WidgetPlatform

/// What an extension has returned in place of a content.
package nonisolated struct ReturnedAttachment: Sendable {
  package let type: UniformType
  package let content: RequestSpool
  package let suggestedName: String?
}

nonisolated extension ReturnedAttachment {
  /// The bytes that are copied at once.
  private static let chunk = 256 * 1024

  /// Takes over what an extension returns, before it can change it any more.
  ///
  /// - Parameters:
  ///   - items: The items as they were sent.
  ///   - folder: Where the extension may have files.
  ///   - temporary: Where the content is kept.
  ///   - byteLimit: The most bytes of all of them.
  /// - Returns: The attachments by items.
  /// - Throws: ``HostError`` with the reason in words for the user.
  static func take(
    _ items: [CompleteRequestRequest.Item],
    from folder: RequestFolder,
    in temporary: String,
    byteLimit: Int
  ) throws(HostError) -> [[ReturnedAttachment]] {
    var left = byteLimit
    var taken: [[ReturnedAttachment]] = []
    for item in items {
      var attachments: [ReturnedAttachment] = []
      for attachment in item.attachments {
        guard let type = UniformType(validating: attachment.type) else {
          throw HostError(
            code: .refused,
            description: "it returned something that has no type: “\(SafeText(attachment.type))”"
          )
        }
        let content = try RequestSpool(in: temporary)
        switch (attachment.text, attachment.path) {
        case (let text?, nil): try content.append(Array(text.utf8))
        case (nil, let path?):
          try copy(try folder.open(returned: path), to: content, byteLimit: left, of: byteLimit)
        default:
          throw HostError(
            code: .refused,
            description: "it returned an attachment with neither a text nor a path, or with both"
          )
        }
        left -= content.size
        attachments.append(
          ReturnedAttachment(
            type: type,
            content: content,
            suggestedName: attachment.suggestedName
          )
        )
      }
      taken.append(attachments)
    }
    return taken
  }

  private static func copy(
    _ file: consuming Descriptor,
    to content: RequestSpool,
    byteLimit: Int,
    of whole: Int
  ) throws(HostError) {
    let tooLarge = HostError(
      code: .tooLarge,
      description: "it returned more than limits.requestBytes, \(whole) bytes"
    )
    guard let size = file.status()?.st_size, size <= byteLimit else { throw tooLarge }
    var offset = 0
    while true {
      let bytes = file.read(chunk, from: offset)
      guard !bytes.isEmpty else { return }
      offset += bytes.count
      guard offset <= byteLimit else { throw tooLarge }
      try content.append(bytes)
    }
  }
}
