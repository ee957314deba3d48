import WidgetKitCore

/// A view of which a press opens an address of the web, and nothing else: it has no actions, no fields, and no pictures of
/// this machine.
enum HarmlessView {
  static func of(_ view: ViewNode) -> ViewNode {
    var view = view
    view.action = nil
    view.link = link(view.link)
    switch view.content {
    case .text(var text):
      text.spans = text.spans.map(of)
      view.content = .text(text)
    case .ansi(var text):
      text.spans = text.spans.map(of)
      view.content = .ansi(text)
    case .button(let control):
      // Without its action it looks like what it is, which is text.
      var label = of(control.label)
      label.link = label.link ?? view.link
      return label
    case .toggle(let toggle): return of(toggle.label)
    case .field: return ScriptWords.text("")
    case .image(let image) where image.path != nil:
      view = ScriptWords.text(image.alt?.string ?? "")
    case .list(var list):
      list.allowsAdding = false
      for index in list.rows.indices {
        list.rows[index].action = nil
        list.rows[index].link = link(list.rows[index].link)
        (list.rows[index].canRemove, list.rows[index].canMove) = (false, false)
      }
      view.content = .list(list)
    default: break
    }
    view.content.changeChildren { $0 = of($0) }
    return view
  }

  private static func of(_ span: TextSpan) -> TextSpan {
    var span = span
    (span.action, span.link) = (nil, link(span.link))
    return span
  }

  private static func link(_ link: String?) -> String? {
    link.flatMap { WebLink.isAllowed($0) ? $0 : nil }
  }
}
