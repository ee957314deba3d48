import WidgetCards
import WidgetKitCore
import WidgetRequests

/// The sheet with which a person sees and completes what is shared.
///
/// It has a preview, a text, a row for each choice, and the buttons. Nothing leaves before Post.
nonisolated struct PaneSheet: Sendable {
  /// A row of the configuration, with its title left and its value right.
  struct Item: Hashable, Sendable {
    var id: String
    var title: SafeText
    var value: SafeText
    /// Whether the value is not known yet.
    var isPending = false
    /// The values that it may have; empty if it is typed, or chosen in a view of the extension.
    var choices: [String] = []
    /// Whether its value is typed.
    var isTyped = false
  }

  /// A text that completes what is typed.
  struct Completion: Hashable, Sendable {
    var text: String
    var detail: SafeText?
    /// How many characters before the cursor it replaces.
    var replaces: Int
  }

  /// What a key came to.
  enum Event: Hashable, Sendable {
    /// The text is another one.
    case textChanged
    /// A row was chosen; with a value if it has choices or is typed.
    case chose(id: String, value: String?)
    case posts
    case cancels
  }

  /// What has the keys.
  enum Focus: Hashable, Sendable {
    case text
    case item(Int)
    case cancel
    case post
  }

  /// What is open in place of the rows of the configuration.
  enum Opened: Hashable, Sendable {
    case choices(item: Int, selection: Int)
    case typing(item: Int, LineEditor)
  }

  let title: SafeText
  let preview: ContentPreview
  /// A view of the extension in place of the preview.
  var ownPreview: ViewNode?
  /// The word of the button.
  var postWord: SafeText = "Post"
  /// Nil if the extension takes no text.
  var text: ComposeText?
  var placeholder: SafeText?
  /// Shown beside the text; nil for none.
  var charactersRemaining: Int?
  /// Whether it can be posted.
  var isValid = true
  var items: [Item] = []
  /// In place of the rows of the configuration; nil for those.
  var completions: [Completion]? { didSet { completion = 0 } }
  /// What is said while it is posted.
  var note: SafeText?
  /// Why posting it has failed; nil if it has not.
  private(set) var failure: SafeText?
  private(set) var isPosting = false
  private(set) var focus: Focus
  private(set) var opened: Opened?
  private(set) var completion = 0

  init(title: SafeText, preview: ContentPreview, text: ComposeText? = nil, items: [Item] = []) {
    (self.title, self.preview) = (title, preview)
    (self.text, self.items) = (text, items)
    focus = text == nil ? .post : .text
  }

  /// What is said of a text that was pasted and had no room; nil while all of it has.
  var overflow: SafeText? {
    guard let count = text?.leftOut, count > 0 else { return nil }
    return SafeText("No room for \(count) \(count == 1 ? "character" : "characters").")
  }

  /// Sets the rows of the configuration; what is open stays open where its row stays.
  mutating func replaceItems(_ items: [Item]) {
    guard items != self.items else { return }
    let ids = (self.items.map(\.id), items.map(\.id))
    self.items = items
    guard ids.0 != ids.1 else { return }
    opened = nil
    if case .item(let index) = focus, index >= items.count { focus = .post }
  }

  /// It was posted; only Cancel is left, without the focus: a second Enter must not take back what the first has posted.
  mutating func didPost() {
    (isPosting, opened, completions, failure) = (true, nil, nil, nil)
    note = "Posting"
    focus = .cancel
  }

  /// Posting it has failed: it can be changed and tried again, and what was typed in it is still there.
  mutating func didFail(_ reason: SafeText) {
    (isPosting, isValid, failure) = (false, true, reason.onOneLine)
    (opened, completions, charactersRemaining) = (nil, nil, nil)
    postWord = "Try Again"
    // Not on a button, so that a key that was meant for something else presses none.
    focus = text != nil ? .text : items.isEmpty ? .post : .item(0)
  }

  /// Draws the sheet.
  func picture(_ look: PaneLook) -> PanePicture { SheetPicture.draw(self, look) }

  // MARK: - Keys

  /// Takes a key, or what the mouse has pressed.
  mutating func take(_ key: Key, _ action: PaneAction?) -> [Event] {
    if isPosting {
      return key.cancelsPost || action == .cancel ? [.cancels] : []
    }
    if key == .control("c") { return [.cancels] }
    if case .mouse(let event) = key { return take(event, action) }
    if let opened { return take(key, in: opened) }
    switch key {
    case .control("s"): return isValid ? [.posts] : []
    case .escape where completions != nil:
      completions = nil
      return []
    case .escape: return [.cancels]
    case .backTab: move(by: -1)
    case .tab where focus == .text && completions?.isEmpty == false: return complete(completion)
    case .tab: move(by: 1)
    default: return takeInFocus(key)
    }
    return []
  }

  private mutating func takeInFocus(_ key: Key) -> [Event] {
    switch focus {
    case .text: return takeInText(key)
    case .item(let index):
      switch key {
      case .enter, .character(" "), .right: return open(index)
      case .up: move(by: -1)
      case .down: move(by: 1)
      default: if items[index].isTyped { beginTyping(key, in: index) }
      }
    case .cancel, .post:
      switch key {
      case .enter: return focus == .cancel ? [.cancels] : isValid ? [.posts] : []
      // Who types has not seen that nothing takes it, and a space must not send anything.
      case .character(" "): return focus == .cancel ? [.cancels] : []
      case .left: focus = .cancel
      case .right: focus = .post
      case .up: focus = items.isEmpty ? (text == nil ? focus : .text) : .item(items.count - 1)
      case .character, .paste:
        if text != nil {
          focus = .text
          return takeInText(key)
        }
        if let index = items.firstIndex(where: \.isTyped) { beginTyping(key, in: index) }
      default: break
      }
    }
    return []
  }

  /// Opens a row that is typed with the first character of what is typed.
  private mutating func beginTyping(_ key: Key, in index: Int) {
    switch key {
    case .character, .paste: break
    default: return
    }
    var line = LineEditor(items[index].value.string)
    guard line.take(key) else { return }
    focus = .item(index)
    opened = .typing(item: index, line)
  }

  private mutating func takeInText(_ key: Key) -> [Event] {
    if let completions, !completions.isEmpty {
      switch key {
      case .down, .control("n"):
        completion = (completion + 1) % completions.count
        return []
      case .up, .control("p"):
        completion = (completion + completions.count - 1) % completions.count
        return []
      default: break
      }
    }
    let before = text?.text
    if text?.take(key) == true { return text?.text == before ? [] : [.textChanged] }
    if key == .down { move(by: 1) }
    return []
  }

  private mutating func complete(_ index: Int) -> [Event] {
    guard let all = completions, all.indices.contains(index) else { return [] }
    text?.complete(all[index].text, replacing: all[index].replaces)
    completions = nil
    return [.textChanged]
  }

  private var places: [Focus] {
    (text == nil ? [] : [.text]) + items.indices.map { .item($0) } + [.cancel, .post]
  }

  private mutating func move(by count: Int) {
    let places = places
    let index = places.firstIndex(of: focus) ?? 0
    focus = places[(index + count + places.count) % places.count]
    // Post is the next one behind the last row.
    if focus == .cancel, count > 0 { focus = .post }
  }

  private mutating func open(_ index: Int) -> [Event] {
    let item = items[index]
    focus = .item(index)
    if item.isTyped {
      opened = .typing(item: index, LineEditor(item.value.string))
    } else if item.choices.isEmpty {
      return [.chose(id: item.id, value: nil)]
    } else {
      let present = item.choices.firstIndex(of: item.value.string) ?? 0
      opened = .choices(item: index, selection: present)
    }
    return []
  }

  private mutating func take(_ key: Key, in present: Opened) -> [Event] {
    switch (present, key) {
    case (_, .escape): opened = nil
    case (.choices(let item, let selection), _):
      let count = items[item].choices.count
      switch key {
      case .down, .tab, .control("n"):
        opened = .choices(item: item, selection: (selection + 1) % count)
      case .up, .backTab, .control("p"):
        opened = .choices(item: item, selection: (selection + count - 1) % count)
      case .enter: return choose(items[item].choices[selection], for: item)
      case .left: opened = nil
      default: break
      }
    case (.typing(let item, let line), .enter): return choose(line.text, for: item)
    case (.typing(let item, var line), _):
      _ = line.take(key)
      opened = .typing(item: item, line)
    }
    return []
  }

  private mutating func choose(_ value: String, for item: Int) -> [Event] {
    opened = nil
    items[item].value = SafeText(value)
    return [.chose(id: items[item].id, value: value)]
  }

  private mutating func take(_ event: MouseEvent, _ action: PaneAction?) -> [Event] {
    guard let action else { return [] }
    switch (action, opened) {
    case (.row(let row), .choices(let item, _)?): return choose(items[item].choices[row], for: item)
    case (.row(let row), _): return complete(row)
    case (.item(let index), _): return open(index)
    case (.text, _): (focus, opened) = (.text, nil)
    case (.post, _):
      focus = .post
      return isValid ? [.posts] : []
    case (.cancel, _): return [.cancels]
    case (.element, _), (.back, _): break
    }
    return []
  }
}
