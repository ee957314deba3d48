/// The parameters of "select graphic rendition" (ECMA-48 8.3.117, ITU-T T.416 13.1.8).
enum SGR {
  /// The text between two semicolons: a number, and those that follow it after colons.
  private struct Parameter {
    var number = 0
    var details: [Int] = []
  }

  /// Changes `style` by parameters such as `1;38;5;208` or `4:3`.
  static func apply(_ parameters: some Sequence<Unicode.Scalar>, to style: inout TextStyle) {
    let groups = read(parameters)
    var index = 0
    while index < groups.count {
      let group = groups[index]
      let code = group.number
      index += 1
      guard code == 38 || code == 48 else {
        apply(code, detail: group.details.first, to: &style)
        continue
      }
      let color: Color?
      if !group.details.isEmpty {
        color = Self.color(group.details, hasSpace: true)
      } else {
        // Only as many as can belong to it: with all that follow, the time would be quadratic.
        let rest = groups[index...].prefix(4).map(\.number)
        color = Self.color(rest, hasSpace: false)
        index = min(groups.count, index + (rest.first == 2 ? 4 : 2))
      }
      guard let color else { continue }
      if code == 38 { style.foreground = color } else { style.background = color }
    }
  }

  /// Reads numbers, with 0 for a missing one; numbers larger than any code are treated alike.
  private static func read(_ parameters: some Sequence<Unicode.Scalar>) -> [Parameter] {
    var result: [Parameter] = []
    var current = Parameter()
    var number = 0
    var isDetail = false
    func end() {
      if isDetail { current.details.append(number) } else { current.number = number }
      number = 0
    }
    for scalar in parameters {
      switch scalar {
      case "0"..."9": number = min(number * 10 + Int(scalar.value - 0x30), 100_000)
      case ":":
        end()
        isDetail = true
      default:
        end()
        result.append(current)
        current = Parameter()
        isDetail = false
      }
    }
    end()
    result.append(current)
    return result
  }

  private static func apply(_ code: Int, detail: Int?, to style: inout TextStyle) {
    switch code {
    case 0: style = .inherited
    case 1: style.bold = true
    case 2: style.dim = true
    case 3: style.italic = true
    case 4: style.underline = detail == 0 ? nil : true
    case 7: style.reverse = true
    case 9: style.strikethrough = true
    case 21: style.underline = true
    case 22:
      style.bold = nil
      style.dim = nil
    case 23: style.italic = nil
    case 24: style.underline = nil
    case 27: style.reverse = nil
    case 29: style.strikethrough = nil
    case 30...37: style.foreground = .indexed(UInt8(code - 30))
    case 39: style.foreground = nil
    case 40...47: style.background = .indexed(UInt8(code - 40))
    case 49: style.background = nil
    case 90...97: style.foreground = .indexed(UInt8(code - 90 + 8))
    case 100...107: style.background = .indexed(UInt8(code - 100 + 8))
    default: break
    }
  }

  /// Reads `5;n` or `2;r;g;b`; with colons, a colour space may precede the three numbers.
  private static func color(_ numbers: [Int], hasSpace: Bool) -> Color? {
    switch numbers.first {
    case 5:
      guard numbers.count > 1, let index = UInt8(exactly: numbers[1]) else { return nil }
      return .indexed(index)
    case 2:
      let start = hasSpace && numbers.count > 4 ? 2 : 1
      guard numbers.count >= start + 3, let red = UInt8(exactly: numbers[start]),
        let green = UInt8(exactly: numbers[start + 1]),
        let blue = UInt8(exactly: numbers[start + 2])
      else { return nil }
      return .rgb(red: red, green: green, blue: blue)
    default:
      return nil
    }
  }

  /// Writes the sequence that sets a style, starting from the default.
  static func sequence(for style: TextStyle) -> String {
    let flags = [
      (style.bold, "1"), (style.dim, "2"), (style.italic, "3"), (style.underline, "4"),
      (style.reverse, "7"), (style.strikethrough, "9"),
    ]
    var parameters = ["0"] + flags.filter { $0.0 == true }.map(\.1)
    parameters += parameter(style.foreground, base: 38) + parameter(style.background, base: 48)
    return "\u{1B}[" + parameters.joined(separator: ";") + "m"
  }

  private static func parameter(_ color: Color?, base: Int) -> [String] {
    switch color {
    case .indexed(let index): ["\(base);5;\(index)"]
    case .rgb(let red, let green, let blue): ["\(base);2;\(red);\(green);\(blue)"]
    case .semantic, nil: []
    }
  }
}
