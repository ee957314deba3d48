import ExtensionContent
import WidgetKitCore
import WidgetRequests

extension RequestHarness {
  /// How a request has ended.
  public enum Outcome: Hashable, Sendable, CustomStringConvertible {
    /// The extension has completed it; what it returned is in ``RequestHarness/returned``.
    case completed
    /// The person has cancelled it.
    case cancelled
    /// The extension has cancelled it, or has failed, for this reason.
    case failed(String)

    /// The word for a report, and the reason.
    public var description: String {
      switch self {
      case .completed: "completed"
      case .cancelled: "cancelled"
      case .failed(let reason): "failed: \(reason)"
      }
    }
  }

  /// What an extension has returned.
  public struct Returned: Hashable, Sendable {
    /// Its type.
    public var type: String
    /// Its bytes; of those beyond 16 MiB, none.
    public var data: [UInt8]
    /// The name of a file for it; nil for none.
    public var suggestedName: String? = nil
    /// The bytes as text; what is not valid is replaced.
    public var text: String { String(decoding: data, as: UTF8.self) }
  }
}

/// The end of a request in a test.
struct RequestEnd {
  let outcome: RequestHarness.Outcome
  /// What the request has returned.
  private(set) var returned: [RequestHarness.Returned] = []
  /// Whether the reason of a failure is what a script has written to standard error.
  private(set) var hasSaidWhy = false

  private static let readLimit = 16 << 20

  init(_ outcome: ExtensionRequest.Outcome) {
    switch outcome {
    case .completed(let items):
      self.outcome = .completed
      returned = items.flatMap { $0 }.map { attachment in
        RequestHarness.Returned(
          type: attachment.type.identifier,
          data: attachment.content.beginning(Self.readLimit),
          suggestedName: attachment.suggestedName
        )
      }
    case .cancelled: self.outcome = .cancelled
    case .failed(let reason): self.outcome = .failed(reason.string)
    }
  }

  init(_ outcome: ScriptRequest.Outcome) {
    switch outcome {
    case .completed(let results):
      self.outcome = .completed
      returned = results.map {
        RequestHarness.Returned(
          type: $0.type.identifier,
          data: $0.content.beginning(Self.readLimit)
        )
      }
    case .failed(let reason, let isItsOwn):
      self.outcome = .failed(reason.string)
      hasSaidWhy = isItsOwn
    }
  }
}
