/// What output has set in a terminal and not taken back: the difference from the state before it.
///
/// Strict where terminals cannot be asked: margins count as set until `CSI r` resets them, whatever
/// rows they name, since a terminal may have another size by then; a full reset does not count as
/// restoring, as what was there before is lost.
package struct TerminalState: Equatable, Sendable {
  /// Private modes that differ from what terminals start with, and 12, which users set themselves.
  package private(set) var modes: [Int: Bool] = [:]
  package private(set) var standardModes: Set<Int> = []
  /// The parameters of the margins, above and below (`r`) and at the sides (`s`).
  package private(set) var margins: [Character: String] = [:]
  /// The character sets G0 to G3 other than ASCII, by the character that designates them.
  package private(set) var characterSets: [Character: String] = [:]
  package private(set) var usesSecondSet = false
  package private(set) var changesTabStops = false
  package private(set) var cursorShape = ""
  package private(set) var hasApplicationKeypad = false
  /// Titles on the stack, and changes of the present one.
  package private(set) var titleDepth = 0
  package private(set) var titleChanges = 0
  /// The keyboard protocols on the stack of kitty, and other settings of keys.
  package private(set) var keyboardDepth = 0
  package private(set) var keySettings: [String: String] = [:]
  package private(set) var style: [String: String] = [:]
  package private(set) var isInLink = false
  /// The numbers of operating system commands that have changed colours.
  package private(set) var colors: Set<String> = []
  /// Resets of the whole terminal.
  package private(set) var resets = 0
  /// A sequence that is not complete.
  package private(set) var unfinished: String?

  /// The state before any output.
  package init() {}

  /// The state after this output.
  package init(after bytes: some Collection<UInt8>) {
    for part in TerminalOutput.parse(bytes) { take(part) }
  }

  private mutating func take(_ part: TerminalOutput) {
    unfinished = nil
    switch part {
    case .character: break
    case .control(let code):
      if code == 0x0E { usesSecondSet = true }
      if code == 0x0F { usesSecondSet = false }
    case .escape(let text): takeEscape(text)
    case .csi(let parameters, let final): takeControl(parameters, final)
    case .string("]", let text): takeCommand(text)
    case .string: break
    case .unfinished(let text): unfinished = text
    }
  }

  private mutating func takeEscape(_ text: String) {
    switch text {
    case "=": hasApplicationKeypad = true
    case ">": hasApplicationKeypad = false
    case "H": changesTabStops = true
    case "c": resets += 1
    case "n", "o", "|", "}", "~": usesSecondSet = true
    default:
      guard let slot = text.first, "()*+-./".contains(slot) else { return }
      let set = String(text.dropFirst())
      characterSets[slot] = set == "B" && slot == "(" ? nil : set
    }
  }

  private mutating func takeControl(_ parameters: String, _ final: Character) {
    let numbers = parameters.drop { !$0.isNumber }.split(separator: ";").map { Int($0) ?? 0 }
    switch final {
    case "h", "l":
      let isSet = final == "h"
      if parameters.hasPrefix("?") {
        for mode in numbers { set(mode, isSet) }
      } else if isSet {
        standardModes.formUnion(numbers)
      } else {
        standardModes.subtract(numbers)
      }
    case "r" where !parameters.hasPrefix("?"):
      margins["r"] = parameters.isEmpty ? nil : parameters
    case "s" where modes[69] == true: margins["s"] = parameters.isEmpty ? nil : parameters
    case "g", "W": changesTabStops = true
    case "q" where parameters.hasSuffix(" "): cursorShape = parameters
    case "p" where parameters == "!": resets += 1
    case "t":
      if numbers.first == 22 { titleDepth += 1 }
      if numbers.first == 23 { titleDepth -= 1 }
    case "u" where parameters.hasPrefix(">"): keyboardDepth += 1
    case "u" where parameters.hasPrefix("<"): keyboardDepth -= max(1, numbers.first ?? 1)
    case "u" where parameters.hasPrefix("="): keySettings["u"] = parameters
    case "m" where parameters.hasPrefix(">"):
      let name = ">\(numbers.first ?? 0)"
      keySettings[name] = numbers.count > 1 && numbers[1] > 0 ? parameters : nil
    case "m": takeStyle(parameters)
    default: break
    }
  }

  private mutating func set(_ mode: Int, _ isSet: Bool) {
    let standard: Bool? = mode == 12 ? nil : [7, 25].contains(mode)
    modes[mode] = isSet == standard ? nil : isSet
  }

  private mutating func takeStyle(_ parameters: String) {
    var codes = parameters.split(separator: ";").map { Int($0.prefix { $0 != ":" }) ?? 0 }[...]
    if codes.isEmpty { style = [:] }
    while let code = codes.popFirst() {
      switch code {
      case 0: style = [:]
      case 30...37, 90...97: style["foreground"] = "\(code)"
      case 40...47, 100...107: style["background"] = "\(code)"
      case 38, 48:
        style[code == 38 ? "foreground" : "background"] = parameters
        codes = codes.dropFirst(codes.first == 2 ? 4 : 2)
      case 39: style["foreground"] = nil
      case 49: style["background"] = nil
      case 22: (style["1"], style["2"]) = (nil, nil)
      case 23...29: style["\(code - 20)"] = nil
      default: style["\(code)"] = "\(code)"
      }
    }
  }

  private mutating func takeCommand(_ text: String) {
    let parts = text.split(separator: ";", omittingEmptySubsequences: false).map(String.init)
    switch parts[0] {
    case "0", "1", "2": titleChanges += 1
    case "8": isInLink = parts.count > 2 && parts[2] != ""
    case "4", "5", "10", "11", "12", "13", "14", "17", "19", "22", "50":
      if parts.last != "?" { colors.insert(parts[0]) }
    case "104", "105", "110", "111", "112", "113", "114", "117", "119":
      // What was there before is lost if it was not the standard.
      colors.insert(parts[0])
    default: break
    }
  }
}
