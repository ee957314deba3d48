import ExtensionContent
import FoundationEssentials
import Glibc
import Synchronization
import WidgetKitCore
import WidgetPlatform

/// One load of a representation, which is made off the main thread.
///
/// A class because the request can give it up.
nonisolated final class ItemLoad: Sendable {
  /// What a load needs of its request.
  struct Terms: Sendable {
    var table: TypeTable
    var charset: TextCharset?
    var folder: RequestFolder
    /// The files of the user that the extension sees.
    var filesInPlace: Set<String> = []
    /// The most bytes of a line, and so of a text.
    var lineBytes: Int
    /// The most bytes of content.
    var requestBytes: Int
  }

  /// The bytes that are copied at once.
  private static let chunk = 256 * 1024
  /// How long a load may take before its progress is told, and the time between two of them.
  private static let quiet = Duration.milliseconds(200)
  private static let pause = Duration.milliseconds(100)

  let request: LoadItemRequest
  private let isCancelled = Atomic<Bool>(false)

  init(_ request: LoadItemRequest) { self.request = request }

  /// Gives the load up.
  func cancel() { isCancelled.store(true, ordering: .relaxed) }

  /// Makes the representation.
  ///
  /// - Parameters:
  ///   - provider: The attachment.
  ///   - terms: What the load needs.
  ///   - progress: Called with the bytes so far and all of them, if it takes long.
  /// - Returns: The answer.
  func make(
    _ provider: ItemProvider,
    _ terms: Terms,
    progress: (_ bytes: Int, _ total: Int?) -> Void
  ) -> Result<LoadItemRequest.Reply, WireError> {
    do throws(WireError) {
      let wanted = UniformType(request.type)
      guard let found = provider.representation(conformingTo: wanted, terms.table) else {
        throw .load(.unavailable, "\(request.attachment) is not available as \(wanted.identifier)")
      }
      try checkForm(found.type, terms.table)
      provider.noteMade(found.type)
      if request.form == .path, provider.isFirst(found.type), let file = provider.file,
        let reply = inPlace(file, terms)
      {
        return .success(reply)
      }
      let file = try open(found.source, terms)
      switch request.form {
      case .path: return .success(try copy(file, provider, terms, progress))
      case .url:
        if found.type == .fileURL, case .file(let path) = found.source {
          return .success(LoadItemRequest.Reply(url: "file://\(path)"))
        }
        return .success(try url(file, terms))
      case .text: return .success(LoadItemRequest.Reply(text: try text(file, terms)))
      case .data:
        // Base64 has four bytes for each three.
        let bytes = try bytes(file, atMost: terms.lineBytes / 4 * 3)
        return .success(LoadItemRequest.Reply(data: Data(bytes).base64EncodedString()))
      }
    } catch {
      return .failure(error)
    }
  }

  private func checkForm(_ type: UniformType, _ table: TypeTable) throws(WireError) {
    let isURL = table.conforms(type, to: .url)
    let allows: Bool
    switch request.form {
    case .text: allows = isURL || table.conforms(type, to: .text)
    case .url: allows = isURL
    case .path, .data: allows = true
    }
    guard allows else {
      throw .load(.unexpectedClass, "\(type.identifier) has no \(request.form.rawValue)")
    }
  }

  private func open(
    _ source: ItemProvider.Source,
    _ terms: Terms
  ) throws(WireError) -> Descriptor {
    do throws(HostError) {
      switch source {
      case .spool(let spool): return Descriptor(try spool.openForReading())
      case .pipe(let pipe):
        return Descriptor(
          try pipe.content(byteLimit: terms.requestBytes).openForReading()
        )
      case .file(let path):
        let number = unsafe Glibc.open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard number >= 0 else { throw .file("read", path, errno) }
        let file = Descriptor(number)
        guard let status = file.status(), status.st_mode & S_IFMT == S_IFREG else {
          throw HostError(code: .refused, description: "\(path) is no file")
        }
        return file
      }
    } catch {
      throw .load(.unknown, error.description)
    }
  }

  /// The file of the user itself; nil if the extension does not see it, or another program has changed it since its
  /// content was read.
  private func inPlace(_ file: EditedFile, _ terms: Terms) -> LoadItemRequest.Reply? {
    guard terms.filesInPlace.contains(file.target), file.isUnchanged else { return nil }
    return LoadItemRequest.Reply(path: file.target, size: file.byteCount, isInPlace: true)
  }

  private func bytes(
    _ file: borrowing Descriptor,
    atMost limit: Int
  ) throws(WireError) -> [UInt8] {
    let bytes = file.read(limit + 1)
    guard bytes.count <= limit else {
      throw .load(
        .cannotCoerce,
        "it has more than \(limit) bytes, which is too long for a message; load it as path"
      )
    }
    return bytes
  }

  private func text(_ file: borrowing Descriptor, _ terms: Terms) throws(WireError) -> String {
    let bytes = try bytes(file, atMost: terms.lineBytes)
    let charset = terms.charset ?? .ofLocale
    guard let text = TextCharset.text(bytes[...], isWhole: true, charset: charset) else {
      throw .load(.cannotCoerce, "its bytes are no text in \(charset?.name ?? "UTF-8")")
    }
    return text
  }

  private func url(
    _ file: borrowing Descriptor,
    _ terms: Terms
  ) throws(WireError) -> LoadItemRequest.Reply {
    let words = try text(file, terms).split(whereSeparator: \.isWhitespace)
    guard words.count == 1, let url = words.first else {
      throw .load(.cannotCoerce, "it is not one address")
    }
    return LoadItemRequest.Reply(url: String(url))
  }

  private func copy(
    _ source: borrowing Descriptor,
    _ provider: ItemProvider,
    _ terms: Terms,
    _ progress: (Int, Int?) -> Void
  ) throws(WireError) -> LoadItemRequest.Reply {
    let made: (number: Int32, path: String)
    do throws(HostError) {
      made = try terms.folder.makeFile(provider.suggestedName ?? "content")
    } catch {
      throw .load(.unknown, error.description)
    }
    let copy = Descriptor(made.number)
    let total = source.status().map { Int(clamping: $0.st_size) }
    let start = ContinuousClock.now
    var (offset, reported) = (0, start + Self.quiet - Self.pause)
    while true {
      guard !isCancelled.load(ordering: .relaxed) else {
        throw .load(.unknown, "the load was cancelled")
      }
      let bytes = source.read(Self.chunk, from: offset)
      guard !bytes.isEmpty else { break }
      do throws(FileFault) {
        try copy.write(bytes)
      } catch {
        throw .load(.unknown, "it could not be copied: \(error.words)")
      }
      offset += bytes.count
      let now = ContinuousClock.now
      if now >= reported + Self.pause {
        reported = now
        progress(offset, total)
      }
    }
    return LoadItemRequest.Reply(path: made.path, size: offset, isInPlace: false)
  }
}

/// Why an attachment was not loaded (NSItemProvider.ErrorCode).
nonisolated enum ItemProviderError: Int {
  case unknown = -1
  /// It is not there in this type.
  case unavailable = -1000
  /// The form is none of the type.
  case unexpectedClass = -1100
  /// Its bytes cannot be brought into the form.
  case cannotCoerce = -1200
}

extension WireError {
  nonisolated static func load(_ error: ItemProviderError, _ message: String) -> WireError {
    var refusal = WireError(code: .internalError, message: message)
    refusal.details = Details(itemProviderError: error.rawValue)
    return refusal
  }
}
