import FoundationEssentials
import Glibc
import WidgetExtensions
import WidgetKitCore
import WidgetPlatform

/// How an argument is read, and what completions offer for it.
struct ArgumentType<Value> {
  /// What completions offer.
  var completion = CompletionKind.none
  /// Reads it.
  let read: (Argument) throws(CommandError) -> Value
}

extension ArgumentType where Value == String {
  /// Any text.
  static var text: Self { Self { argument throws(CommandError) in argument.text } }

  /// A file or a folder, which need not exist.
  static var path: Self {
    Self(completion: .path) { argument throws(CommandError) in argument.text }
  }

  /// A text that completions know.
  static func text(_ completion: CompletionKind) -> Self {
    Self(completion: completion) { argument throws(CommandError) in argument.text }
  }

  /// The identifier or the name of a widget.
  static var widget: Self { .text(.widgets) }

  /// A folder or a file that exists.
  static var folder: Self {
    Self(completion: .path) { argument throws(CommandError) in
      var status = stat()
      let kinds = [S_IFDIR, S_IFREG]
      guard unsafe stat(argument.text, &status) == 0, kinds.contains(status.st_mode & S_IFMT)
      else { throw .missing("\(argument.subject): no such folder, bundle or script") }
      return argument.text
    }
  }

  /// A bundle or a script, as an absolute path.
  static var bundle: Self {
    Self(completion: .path) { argument throws(CommandError) in
      guard let absolute = NamedBundles.absolute(argument.text) else {
        throw .missing("\(argument.subject): no such bundle or script")
      }
      return absolute
    }
  }
}

extension ArgumentType where Value == Int {
  /// A whole number in a range.
  static func number(_ range: ClosedRange<Int>) -> Self {
    Self { argument throws(CommandError) in
      guard let number = Int(argument.text), range.contains(number) else {
        throw argument.expected("a whole number from \(range.lowerBound) to \(range.upperBound)")
      }
      return number
    }
  }
}

/// A value that is one of a few words.
typealias WordChoice = CaseIterable & RawRepresentable<String>

extension RawRepresentable<String> where Self: CaseIterable {
  /// The words, as they are in a usage line.
  static var names: String { allCases.map(\.rawValue).joined(separator: "|") }
}

extension ArgumentType where Value: WordChoice {
  /// One of a few words.
  static var choice: Self {
    let names = Value.allCases.map(\.rawValue)
    return Self(completion: .words(names)) { argument throws(CommandError) in
      guard let choice = Value(rawValue: argument.text) else {
        throw argument.expected("one of \(names.joined(separator: ", "))")
      }
      return choice
    }
  }
}

extension ArgumentType where Value == Duration {
  /// Seconds, 0 or more.
  static var seconds: Self {
    Self { argument throws(CommandError) in
      guard let seconds = Double(argument.text), seconds >= 0, seconds <= 1e9 else {
        throw argument.expected("seconds, 0 or more")
      }
      return .seconds(seconds)
    }
  }

  /// A time with a unit, such as `10s`, at least a second.
  static var time: Self {
    Self { argument throws(CommandError) in
      guard let seconds = ScriptName.seconds(argument.text) else {
        throw argument.expected("a time such as 10s, 5m, 1h or 1d")
      }
      return .seconds(seconds)
    }
  }

  /// A time with a unit, or `0s`.
  static var timeFromZero: Self {
    Self { argument throws(CommandError) in
      ["0", "0s"].contains(argument.text) ? .zero : try Self.time.read(argument)
    }
  }

  /// Seconds, at least a hundredth of one.
  static var positiveSeconds: Self {
    Self { argument throws(CommandError) in
      let seconds = try Self.seconds.read(argument)
      guard seconds >= .milliseconds(10) else { throw argument.expected("more than 0 seconds") }
      return seconds
    }
  }
}

extension ArgumentType where Value == Date {
  /// A time of the last day: `14:30`, today or else yesterday, or how long ago it was, such as `2h`.
  static var timeOfDay: Self {
    Self { argument throws(CommandError) in
      guard let date = PastTime.date(argument.text, now: Date()) else {
        throw argument.expected("a time of the last day such as 14:30, or how long ago, such as 2h")
      }
      return date
    }
  }
}

extension ArgumentType where Value == PageName {
  /// The name of a page that there is or that is made.
  static var page: Self { Self(completion: .pages, read: newPage.read) }

  /// The name of a page that is made.
  static var newPage: Self {
    Self { argument throws(CommandError) in
      guard let name = PageName(rawValue: argument.text) else {
        throw argument.expected("a name of \(PageName.rule)")
      }
      return name
    }
  }
}

extension ArgumentType where Value == ThemeDefinition {
  /// The name of a theme.
  static var theme: Self {
    Self(completion: .themes) { argument throws(CommandError) in
      try argument.common.theme(argument.text)
    }
  }
}

nonisolated extension Duration {
  /// The time in a sentence: `10 s`, `0.5 s`.
  var inSeconds: String {
    let tenths = Int((self / .milliseconds(100)).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
  }
}
