import Testing
import WidgetKitCore

@testable import WidgetScripts

/// Which submenus of a plugin are the same as before, so that they stay open.
@Suite nonisolated struct XbarFoldsTests {
  private var folds = XbarFolds()

  private mutating func names(_ menu: [(String, Int)], in parent: String = "") -> [String] {
    folds.begin()
    defer { folds.end() }
    return folds.identifiers(of: menu.map { (label: $0.0, place: $0.1) }, in: parent)
  }

  @Test mutating func `a label that changes in its place keeps its submenu`() {
    let first = names([("python3 49.7 %", 0), ("sh 3 %", 1)])
    #expect(names([("python3 51 %", 0), ("sh 4 %", 1)]) == first)
    #expect(Set(first).count == 2)
  }

  @Test mutating func `a submenu that moves keeps its label, and one that is new is another`() {
    let first = names([("A", 0), ("B", 1)])
    let second = names([("New", 0), ("A", 1), ("B", 2)])
    #expect(Array(second.dropFirst()) == first)
    #expect(!first.contains(second[0]))
    #expect(names([("B", 0)]) == [first[1]])
  }

  @Test mutating func `labels that change while entries above come keep their order`() {
    let first = names([("load 1", 0), ("Fixed", 1), ("load 2", 4)])
    let second = names([("Fixed", 3), ("load 9", 5), ("load 8", 7)])
    #expect(second[0] == first[1])
    #expect([second[1], second[2]] == [first[0], first[2]])
  }

  @Test mutating func `equal labels are different submenus`() {
    let names = names([("A", 0), ("A", 1), ("A", 0)])
    #expect(Set(names).count == 3)
    #expect(self.names([("A", 0), ("A", 1), ("A", 2)]) == names)
  }

  @Test mutating func `submenus of a menu whose label changes stay open too`() throws {
    func ids(_ text: String) throws -> [String] {
      let menu = XbarMenu(text, .xbar)
      let view = XbarView.picture(of: menu, .xbar, &folds).view
      return Self.folds(in: view)
    }
    let first = try ids("t\n---\nHost 1 ms\n--Disk 4 %\n----sda\nOther\n--x")
    #expect(first.count == 3)
    let second = try ids("t\n---\nHost 2 ms\n--Disk 5 %\n----sda\nOther\n--x")
    #expect(second == first)
  }

  private static func folds(in node: ViewNode) -> [String] {
    guard case .vstack(let stack) = node.content else {
      guard case .fold(let fold) = node.content else { return [] }
      return [node.id ?? ""] + fold.children.flatMap(folds)
    }
    return stack.children.flatMap(folds)
  }
}
