package import WidgetKitCore

extension ExtensionRequest {
  /// How a request has ended.
  package enum Outcome {
    /// It was completed, with what replaces the content, by items.
    case completed([[ReturnedAttachment]])
    /// A person has cancelled it.
    case cancelled
    /// It has failed, or the extension has cancelled it; the reason is for the user.
    case failed(SafeText)
  }

  /// How far a request is.
  package enum Stage: Hashable, Sendable {
    /// The process is not started.
    case waiting
    /// It is started, and not ready to be shown or to work.
    case starting
    /// It works; its view can be shown if it has one.
    case ready
    /// The person has posted the content.
    case posting
    /// What it returned is taken over.
    case completing
    /// The request is over.
    case ended
  }
}
