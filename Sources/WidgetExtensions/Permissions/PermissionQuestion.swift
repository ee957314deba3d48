import FoundationEssentials
package import WidgetKitCore

/// The question in the card of a widget what it may do, before it is started.
///
/// It is a view like that of a widget, so that keys and the mouse work as on every other card. The actions
/// of its buttons have a random part: no view of a widget can have a button that answers it.
package struct PermissionQuestion: Hashable, Sendable {
  /// What the user can answer.
  package enum Answer: String, CaseIterable, Sendable {
    /// It is permitted.
    case grant
    /// It is permitted until the dashboard ends.
    case once
    /// It is refused; the widget is started without.
    case deny

    var label: SafeText {
      switch self {
      case .grant: "Grant"
      case .once: "Grant once"
      case .deny: "Deny"
      }
    }

    /// The columns of the button.
    fileprivate var columns: Int { label.string.count + 4 }
  }

  /// What is asked for.
  package let requests: [EntitlementRequest]
  private let name: SafeText
  /// The app, if there is one: an answer is for all its widgets.
  private let app: SafeText?
  /// What is to be said about the sandbox of the widget, as sentences.
  private let remarks: [SafeText]
  private let key = UUID().uuidString

  /// Creates a question.
  ///
  /// - Parameters:
  ///   - requests: The requests that the user has not answered; at least one.
  ///   - name: The name of the widget.
  ///   - app: The identifier of its app, if it has one.
  ///   - remarks: What is to be said about the sandbox of the widget, as sentences.
  init(
    _ requests: [EntitlementRequest],
    name: SafeText,
    app: SafeText?,
    remarks: [SafeText] = []
  ) {
    self.requests = requests
    self.name = name
    self.app = app
    self.remarks = remarks
  }

  /// Creates a question for a widget.
  package init(_ requests: [EntitlementRequest], of bundle: WidgetBundle, remarks: [SafeText]) {
    self.init(
      requests,
      name: bundle.displayName,
      app: bundle.containingApp.map { SafeText($0.bundleIdentifier) },
      remarks: remarks
    )
  }

  /// Whether it asks the same as another question.
  package func isSame(as other: PermissionQuestion) -> Bool {
    (requests, name, app, remarks) == (other.requests, other.name, other.app, other.remarks)
  }

  /// The answer for which an element of the view is pressed; nil for any other element.
  package func answer(of target: PressTarget) -> Answer? {
    Answer.allCases.first { target.action == action($0) }
  }

  private func action(_ answer: Answer) -> String { "\(key)/\(answer.rawValue)" }

  /// The question in a width: what is asked for, line by line, and the buttons below it.
  package func view(columns: Int) -> ViewNode {
    let wishes = requests.map { request in
      Self.row([Self.text("•"), Self.text(request.words)])
    }
    let scope: SafeText = app.map { "For all widgets of \($0)." } ?? "For this widget."
    let place: SafeText = "\(scope) “today permissions” lists and changes it."
    let buttons = Answer.allCases.map(button)
    let fits = Answer.allCases.map(\.columns).reduce(buttons.count - 1, +) <= columns
    let title: SafeText = "\(SafeText(quoting: name.string, columns: 40)) asks to"
    return Self.column(
      [Self.text(title, TextStyle(bold: true))] + wishes
        + (remarks + [place]).map { Self.text($0, TextStyle(dim: true)) } + [Self.text("")]
        + [fits ? Self.row(buttons) : Self.column(buttons)]
    )
  }

  private func button(_ answer: Answer) -> ViewNode {
    var node = ViewNode(.button(ControlContent(label: Self.text(answer.label))))
    node.id = answer.rawValue
    node.action = action(answer)
    return node
  }

  private static func text(_ words: SafeText, _ style: TextStyle = .inherited) -> ViewNode {
    var node = ViewNode(.text(TextContent(spans: [TextSpan(words)])))
    node.style = style
    return node
  }

  private static func row(_ children: [ViewNode]) -> ViewNode {
    ViewNode(.hstack(StackContent(children: children)))
  }

  private static func column(_ children: [ViewNode]) -> ViewNode {
    ViewNode(.vstack(StackContent(children: children)))
  }
}
