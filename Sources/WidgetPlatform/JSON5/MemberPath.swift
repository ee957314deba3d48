/// The names and positions that lead from the top of a JSON text to a value: `openers.https[0]`.
package struct MemberPath: Hashable, Sendable, CustomStringConvertible {
  /// One step down: to a member of an object, or to an element of a list, counted from 0.
  package enum Step: Hashable, Sendable {
    case name(String)
    case index(Int)
  }

  package private(set) var steps: [Step] = []

  /// The path of the whole text.
  package static let top = MemberPath()

  private init() {}

  /// A path of names, with dots between them.
  package init(_ names: String) {
    steps = names.split(separator: ".").map { .name(String($0)) }
  }

  /// The path of a member of this object.
  package func member(_ name: String) -> MemberPath { adding(.name(name)) }

  /// The path of an element of this list, counted from 0.
  package func element(_ index: Int) -> MemberPath { adding(.index(index)) }

  /// The path one step up; nil for the top.
  package var parent: MemberPath? {
    guard !steps.isEmpty else { return nil }
    var path = self
    path.steps.removeLast()
    return path
  }

  /// The name that the path ends in; nil for the top and for an element of a list.
  package var name: String? { if case .name(let name)? = steps.last { name } else { nil } }

  /// Whether this path leads to a value inside the one that `other` leads to.
  package func isBelow(_ other: MemberPath) -> Bool {
    steps.count > other.steps.count && steps.starts(with: other.steps)
  }

  private func adding(_ step: Step) -> MemberPath {
    var path = self
    path.steps.append(step)
    return path
  }

  /// The names with dots between them; a name that is not a plain word is in quotes.
  package var description: String {
    var text = ""
    for step in steps {
      switch step {
      case .index(let index): text += "[\(index)]"
      case .name(let name):
        let isPlain = !name.isEmpty && name.utf8.allSatisfy(Self.isPlain)
        text += (text.isEmpty ? "" : ".") + (isPlain ? name : "\"\(name.prefix(80))\"")
      }
    }
    return text
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: byte >= 0x80
    }
  }
}
