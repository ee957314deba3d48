import FoundationEssentials

/// One logical unit of the content of a request, such as one post (NSExtensionItem).
public struct RequestItem: Sendable {
  /// A title; nil if there is none.
  public let title: String?
  /// A text about the content; nil if there is none.
  public let contentText: String?
  /// Where the content is from, as far as the host knows: `workingDirectory`, `command`, `exitStatus`, `host`,
  /// `gitRemote`, `path` and `card`.
  public let userInfo: [String: String]
  /// The pieces of content.
  public let attachments: [RequestAttachment]

  init(_ item: ExtensionContext.InputItem, _ host: HostConnection) {
    (title, contentText) = (item.attributedTitle, item.attributedContentText)
    userInfo = item.userInfo ?? [:]
    attachments = item.attachments.map { RequestAttachment($0, host) }
  }
}

/// One piece of content, in one or several types; it is made and sent only when it is loaded (NSItemProvider).
public struct RequestAttachment: Sendable {
  /// Its identifier in this request.
  public let id: String
  /// The types in which it can be loaded, the most faithful first.
  public let registeredTypeIdentifiers: [String]
  /// Its size in bytes; nil if it is not known, as that of a pipe that has not ended.
  public let size: Int?
  /// The name of its file; nil if it has none.
  public let suggestedName: String?

  private let host: HostConnection

  init(_ attachment: ExtensionContext.InputAttachment, _ host: HostConnection) {
    (id, size, suggestedName) = (attachment.id, attachment.size, attachment.suggestedName)
    registeredTypeIdentifiers = attachment.registeredTypeIdentifiers
    self.host = host
  }

  /// A file with a representation.
  public struct File: Hashable, Sendable {
    /// Its path: a copy that goes with the process, unless ``isInPlace``.
    public let path: String
    /// Its bytes.
    public let size: Int?
    /// Whether it is the file that the user has named, and not a copy.
    ///
    /// So it is for an editor of a file that is replaced by what it returns (`today act -i`), which reads it there and
    /// does not write to it.
    public let isInPlace: Bool
  }

  /// Loads the content as text, which is valid UTF-8 and at most as long as a message.
  ///
  /// - Parameter type: One of its types; nil for the first.
  /// - Returns: The text.
  /// - Throws: ``ItemProviderError``; use ``loadFile(_:)`` for content that may be long.
  public func loadText(_ type: String? = nil) async throws(ItemProviderError) -> String {
    try await load(type, .text, \.text)
  }

  /// Loads the content as a file.
  ///
  /// - Throws: ``ItemProviderError``.
  public func loadFile(_ type: String? = nil) async throws(ItemProviderError) -> File {
    try await load(type, .path) { reply in
      reply.path.map { File(path: $0, size: reply.size, isInPlace: reply.isInPlace ?? false) }
    }
  }

  /// Loads the content as an address.
  ///
  /// - Throws: ``ItemProviderError``.
  public func loadURL(_ type: String? = nil) async throws(ItemProviderError) -> String {
    try await load(type, .url, \.url)
  }

  /// Loads the content as bytes, at most as many as a message has.
  ///
  /// - Throws: ``ItemProviderError``.
  public func loadData(_ type: String? = nil) async throws(ItemProviderError) -> [UInt8] {
    try await load(type, .data) { $0.data.flatMap(Self.bytes) }
  }

  /// Gives up loading it.
  @MainActor
  public func cancelLoading() {
    host.notify(CancelLoadNotification(attachment: id))
  }

  private func load<Value: Sendable>(
    _ type: String?,
    _ form: LoadItemRequest.Form,
    _ value: @Sendable (LoadItemRequest.Reply) -> Value?
  ) async throws(ItemProviderError) -> Value {
    guard let type = type ?? registeredTypeIdentifiers.first else {
      throw ItemProviderError(code: .itemUnavailable, message: "the attachment has no type")
    }
    let request = LoadItemRequest(attachment: id, type: type, form: form)
    let reply: LoadItemRequest.Reply
    do {
      reply = try await host.request(request)
    } catch {
      throw ItemProviderError(error)
    }
    guard let value = value(reply) else {
      throw ItemProviderError(code: .unknown, message: "the answer has no \(form.rawValue)")
    }
    return value
  }

  /// The bytes of a text in base64 (RFC 4648, section 4); nil if it is none.
  private static func bytes(_ text: String) -> [UInt8]? {
    Data(base64Encoded: text).map(Array.init)
  }
}

/// Why an attachment was not loaded.
public struct ItemProviderError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of the error (NSItemProvider.ErrorCode).
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The number on the wire.
    public let rawValue: Int

    /// Creates a code from its number.
    public init(rawValue: Int) {
      self.rawValue = rawValue
    }

    /// It is not known why.
    public static let unknown = Code(rawValue: -1)
    /// The content is not available in this type.
    public static let itemUnavailable = Code(rawValue: -1000)
    /// The type cannot be loaded in this form, such as a picture as text.
    public static let unexpectedValueClass = Code(rawValue: -1100)
    /// The content cannot be converted, such as bytes that are not in its charset.
    public static let unavailableCoercion = Code(rawValue: -1200)
  }

  /// The kind of the error.
  public let code: Code
  /// A sentence for the user.
  public let message: String

  init(code: Code, message: String) {
    (self.code, self.message) = (code, message)
  }

  /// The error of the host's answer.
  init(_ error: any Error) {
    let wire = error as? WireError
    code = Code(rawValue: wire?.details?.itemProviderError ?? Code.unknown.rawValue)
    message = wire?.message ?? "\(error)"
  }

  /// The message.
  public var description: String { message }
}
