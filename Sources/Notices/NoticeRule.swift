/// What config.json says about notices of a kind.
public struct NoticeRule: Hashable, Sendable {
  /// Patterns of the whole application, title and body, with `*` and `?`; nil fits everything.
  package var application: NoticePattern?
  package var title: NoticePattern?
  package var body: NoticePattern?
  /// The urgency; nil for any.
  package var urgency: NoticeContent.Urgency?
  /// What is done with them.
  package var effect: Effect

  /// What a rule does.
  package enum Effect: Hashable, Sendable {
    /// They are in no list, and nobody is told.
    case hide
    /// They are stored among the earlier ones, and nobody is told.
    case earlier
    /// They are critical.
    case critical
    /// A program gets the notice as a line of JSON on its standard input.
    case run([String])

    /// Whether it is done with what has not ended, and is posted again and again; else it is done at the end.
    fileprivate var isOfOngoing: Bool {
      switch self {
      case .hide, .earlier: true
      case .critical, .run: false
      }
    }
  }

  /// Creates a rule that fits everything.
  package init(_ effect: Effect) {
    self.effect = effect
  }

  /// Whether the rule is for a notice.
  func fits(_ content: NoticeContent) -> Bool {
    (content.isOngoing != true || effect.isOfOngoing)
      && (urgency.map { $0 == content.urgency } ?? true)
      && (application?.fits(content.application) ?? true) && (title?.fits(content.title) ?? true)
      && (body?.fits(content.body ?? "") ?? true)
  }
}

/// A pattern for a whole text: `*` stands for any characters, also none, and `?` for one; upper and lower case are the
/// same.
package struct NoticePattern: Hashable, Sendable {
  /// As it was written.
  package let text: String
  private let scalars: [Unicode.Scalar]

  /// Creates a pattern.
  package init(_ text: String) {
    self.text = text
    scalars = Array(text.lowercased().unicodeScalars)
  }

  /// Whether a text fits.
  ///
  /// - Complexity: O(m · n) at worst: after a mismatch only the last `*` takes one more character.
  package func fits(_ text: String) -> Bool {
    let text = Array(text.lowercased().unicodeScalars)
    var (place, index) = (0, 0)
    var star: (place: Int, index: Int)?
    while index < text.count {
      if place < scalars.count, scalars[place] == "*" {
        star = (place, index)
        place += 1
      } else if place < scalars.count, scalars[place] == "?" || scalars[place] == text[index] {
        place += 1
        index += 1
      } else if let last = star {
        star = (last.place, last.index + 1)
        (place, index) = (last.place + 1, last.index + 1)
      } else {
        return false
      }
    }
    return scalars[place...].allSatisfy { $0 == "*" }
  }
}
