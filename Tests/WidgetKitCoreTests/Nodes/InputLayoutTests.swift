import FoundationEssentials
import Testing

@testable import WidgetKitCore

/// Pictures and targets of lists, fields and folds.
@Suite struct InputLayoutTests {
  private func layOut(
    _ json: String,
    width: Int = 24,
    glyphs: GlyphSet = .unicode,
    redacts: Bool = false,
    _ change: (inout ViewState) -> Void = { _ in }
  ) throws -> LaidOutView {
    let node = try JSONDecoder().decode(ViewNode.self, from: Data(json.utf8))
    var environment = LayoutEnvironment(now: .now, glyphs: glyphs, redactsPrivate: redacts)
    change(&environment.state)
    return ViewLayout.layOut(node, width: width, in: environment)
  }

  private func rows(_ view: LaidOutView) -> [String] {
    var lines = Array(repeating: "", count: view.size.rows)
    for run in view.runs {
      let line = lines[run.position.row]
      let gap = String(repeating: " ", count: max(0, run.position.column - line.count))
      lines[run.position.row] = line + gap + run.cells.map(\.glyph.text).joined()
    }
    return lines.map { String($0.reversed().drop { $0 == " " }.reversed()) }
  }

  private static let fold =
    #"{"type":"fold","id":"f","label":"Details","children":["one",{"type":"fold","label":"two","#
    + #""children":["three"]}]}"#
  private static let list =
    #"{"type":"list","id":"l","minimumVisibleRowCount":3,"rows":[{"id":"a","view":"A"},"#
    + #"{"id":"b","view":"B","action":"press"},{"id":"c","view":{"type":"vstack","children":["C","#
    + #"{"type":"button","label":"x","action":"x"}]}},{"id":"d","view":"D"},{"id":"e","view":"E"}]}"#

  @Test func `a row has the texts in it, without those of its buttons`() throws {
    let fold = #"{"type":"fold","label":"More","children":[\#(Self.list)]}"#
    for json in [Self.list, fold] {
      let node = try JSONDecoder().decode(ViewNode.self, from: Data(json.utf8))
      #expect(node.text(ofRow: "c", in: "l") == "C")
      // Also of one that is shown only when the user asks for more.
      #expect(node.text(ofRow: "e", in: "l") == "E")
      #expect(node.text(ofRow: "z", in: "l") == nil && node.text(ofRow: "c", in: "k") == nil)
    }
  }

  @Test func `a row whose text is the label of a toggle has that text`() throws {
    let view =
      #"{"type":"hstack","children":[{"type":"toggle","label":"Call Ida","action":"done"},"#
      + #"{"type":"text","text":"✎","action":"edit"}]}"#
    let json = #"{"type":"list","id":"l","rows":[{"id":"a","view":\#(view)}]}"#
    let node = try JSONDecoder().decode(ViewNode.self, from: Data(json.utf8))
    #expect(node.text(ofRow: "a", in: "l") == "Call Ida")
  }

  @Test func `a fold shows its children while it is open`() throws {
    #expect(rows(try layOut(Self.fold)) == ["▸ Details"])
    let open = try layOut(Self.fold) { $0.folds["f"] = true }
    #expect(rows(open) == ["▾ Details", "  one", "  ▸ two"])
    #expect(
      open.targets.map(\.role)
        == [.fold(key: "f", isOpen: true), .fold(key: "two", isOpen: false)]
    )
    #expect(open.targets.map(\.label) == ["Details", "two"])
    #expect(open.targets[0].frame == Rect(column: 0, row: 0, columns: 24, rows: 1))
    #expect(rows(try layOut(Self.fold, glyphs: .ascii)) == ["+ Details"])
    #expect(rows(try layOut(Self.fold, width: 6) { $0.folds["f"] = true }).first == "▾ Det…")
  }

  @Test func `a list shows some rows and then all`() throws {
    let list = try layOut(Self.list)
    #expect(rows(list) == ["A", "B", "C", "[ x ]", "Show More…"])
    #expect(list.targets.map(\.action) == [nil, "press", nil, "x", nil])
    #expect(list.targets.map(\.frame.size.rows) == [1, 1, 2, 1, 1])
    // The list and its rows.
    #expect(list.elements.count == 4)
    let whole = try layOut(Self.list) { $0.lists["l", default: .init()].isExpanded = true }
    #expect(rows(whole) == ["A", "B", "C", "[ x ]", "D", "E", "Show Less"])
    #expect(rows(try layOut(Self.list, glyphs: .ascii)).last == "Show More...")
  }

  @Test func `a row whose view is a toggle is pressed as one`() throws {
    let list = try layOut(
      #"{"type":"list","id":"l","rows":[{"id":"a","view":{"type":"toggle","id":"t","label":"x","action":"go"}},"#
        + #"{"id":"b","action":"own","view":{"type":"button","label":"y","action":"inner"}}]}"#
    )
    #expect(list.targets.map(\.action) == ["go", "own", "inner"])
    #expect(list.targets.map(\.newValue) == [true, nil, nil])
    #expect(list.targets[0].elementID == "t")
    #expect(list.targets[0].role.isSame(as: list.targets[0].role))
  }

  @Test func `a toggle or a button whose label grows takes the columns that are left`() throws {
    let label = #"{"type":"hstack","children":["Milk",{"type":"spacer"},"today"]}"#
    for (type, picture) in [
      ("toggle", "☐ Milk      today pencil"), ("button", "[ Milk    today ] pencil"),
    ] {
      let control = #"{"type":"\#(type)","label":\#(label),"action":"a"}"#
      let view = try layOut(#"{"type":"hstack","spacing":1,"children":[\#(control),"pencil"]}"#)
      #expect(rows(view) == [picture])
      #expect(view.targets.first?.frame.size.columns == 17)
    }
  }

  @Test func `what has the action of what is around it is pressed with that`() throws {
    let toggle = #"{"type":"toggle","label":"Milk","action":"done"}"#
    let view = try layOut(
      #"{"type":"hstack","action":"done","children":[\#(toggle),{"type":"button","label":"x","action":"go"}]}"#
    )
    #expect(view.targets.map(\.action) == ["done", "go"])
    #expect(try layOut(toggle).targets.map(\.action) == ["done"])
  }

  @Test func `removed and moved rows are not where the widget has them`() throws {
    let changed = try layOut(Self.list) { state in
      var list = ListState()
      list.hidden = ["b", "d"]
      list.order = ["e", "a"]
      state.lists["l"] = list
    }
    #expect(rows(changed) == ["E", "A", "C", "[ x ]"])
  }

  @Test func `an empty list shows its text`() throws {
    #expect(rows(try layOut(#"{"type":"list","emptyText":"Nothing"}"#)) == ["Nothing"])
    #expect(try layOut(#"{"type":"list"}"#).size.rows == 0)
  }

  @Test func `a list offers to add a row only while it is edited`() throws {
    let adds = ListEditing(removes: false, moves: false, adds: true)
    let add = try layOut(Self.list) { $0.editing = adds }
    #expect(add.targets.last?.role == .add(list: "l"))
    let fixed = #"{"type":"list","id":"l","allowsAdding":false,"rows":[]}"#
    #expect(try layOut(fixed) { $0.editing = adds }.targets.isEmpty)
  }

  @Test func `rows of a list that is edited have marks to move and to remove them`() throws {
    let list =
      #"{"type":"list","id":"l","rows":[{"id":"a","view":"A"},{"id":"b","view":"B","canMove":false},"#
      + #"{"id":"c","view":"C","canRemove":false}]}"#
    let all = ListEditing(removes: true, moves: true, adds: false)
    let marked = try layOut(list, width: 10) { $0.editing = all }
    #expect(rows(marked) == ["≡ A      ✕", "  B      ✕", "≡ C"])
    guard case .row(let row)? = marked.targets.first?.role else {
      Issue.record("no row: \(marked.targets)")
      return
    }
    #expect(row.grip == Rect(column: 0, row: 0, columns: 2, rows: 1))
    #expect(row.removal == Rect(column: 8, row: 0, columns: 2, rows: 1))
    #expect(marked.targets[0].frame == Rect(column: 0, row: 0, columns: 10, rows: 1))
    let plain = try layOut(list, width: 10, glyphs: .ascii) { $0.editing = all }
    #expect(rows(plain).first == "= A      x")
    // Without room for both, the rows come first.
    #expect(rows(try layOut(list, width: 7) { $0.editing = all }) == ["A", "B", "C"])
  }

  @Test func `a field shows what it is for, and what is typed`() throws {
    let field = #"{"type":"field","id":"f","placeholder":"Find","kind":"search","action":"go"}"#
    #expect(rows(try layOut(field)) == ["/ Find"])
    let typed = try layOut(field, width: 10) { $0.fields["f"] = FieldState(text: "abc", cursor: 1) }
    #expect(rows(typed) == ["/ abc"])
    guard case .field(let target)? = typed.targets.first?.role else {
      Issue.record("no target: \(typed.targets)")
      return
    }
    #expect(typed.targets.count == 1 && typed.targets[0].action == "go")
    #expect(target.cursor == Position(column: 3, row: 0))
    #expect(target.text == "abc" && target.columns == 8)
    let long = String(repeating: "x", count: 90) + "end"
    let cut = try layOut(field, width: 10) { $0.fields["f"] = FieldState(text: long, cursor: 93) }
    #expect(rows(cut)[0].hasSuffix("end") && rows(cut)[0].count <= 10)
    #expect(rows(try layOut(#"{"type":"field","text":"a"}"#, glyphs: .ascii)) == ["> a"])
  }

  @Test func `private texts are covered`() throws {
    let field = #"{"type":"field","id":"f","text":"4711","privacySensitive":true}"#
    #expect(rows(try layOut(field, redacts: true)) == ["› ▒▒▒▒"])
    let list =
      #"{"type":"list","privacySensitive":true,"minimumVisibleRowCount":1,"rows":[{"id":"a","view":"#
      + #""4711"},{"id":"b","view":"4712"}]}"#
    let covered = try layOut(list, redacts: true)
    #expect(rows(covered) == ["▒▒▒▒", "Show More…"])
    #expect(covered.targets[0].label == "")
  }

  @Test func `labels for screen readers come first`() throws {
    let fold =
      #"{"type":"fold","label":"…","accessibilityLabel":"More about it","children":["a"]}"#
    #expect(try layOut(fold).targets[0].label == "More about it")
    let field = #"{"type":"field","placeholder":"x","accessibilityLabel":"Search notes"}"#
    #expect(try layOut(field).targets[0].label == "Search notes")
  }

  @Test func `everything fits every width`() throws {
    for json in [Self.fold, Self.list, #"{"type":"field","text":"東京 abc"}"#] {
      for width in 0...14 {
        let view = try layOut(json, width: width) {
          $0.folds = ["f": true, "two": true]
          $0.editing = ListEditing(removes: true, moves: true, adds: true)
        }
        for run in view.runs {
          #expect(run.position.column >= 0 && run.position.column + run.cells.count <= width)
        }
        let bounds = Rect(origin: .zero, size: view.size)
        for target in view.targets { #expect(target.frame.intersection(bounds) == target.frame) }
      }
    }
  }
}
