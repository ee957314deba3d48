/// Why a bundle was passed over: which file, which key, what was found there and what was expected.
///
/// Its description is one line that a person can act on:
/// ```
/// Clock.widget/Info.plist: CFBundleExecutable is missing; expected the name of a file in the bundle
/// ```
public struct BundleError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of trouble it is.
  public var code: Code
  /// The bundle's folder, as it was asked for.
  public var bundlePath: String
  /// The file in trouble, from the outermost bundle's folder on: `Clock.widget/Info.plist`.
  public var file: String
  /// The key in the property list; nil where the whole file is meant.
  public var key: String?
  /// What is there, as it stands after "is".
  public var found: String
  /// What should be there, as it stands after "expected".
  public var expected: String

  /// Creates an error.
  public init(
    _ code: Code,
    bundlePath: String,
    file: String,
    key: String? = nil,
    found: String,
    expected: String
  ) {
    self.code = code
    self.bundlePath = bundlePath
    self.file = file
    self.key = key
    self.found = found
    self.expected = expected
  }

  /// One line of safe text: file, key, found, expected.
  public var description: String {
    let subject = key.map { "\(file): \($0)" } ?? file
    return Self.line("\(subject) is \(found); expected \(expected)")
  }

  /// A kind of trouble; strangers may add their own.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The kind's name.
    public var rawValue: String

    /// Creates a kind.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// A file or folder is not there, is not what it should be, or cannot be opened.
    public static let unreadable = Code(rawValue: "unreadable")
    /// A file is longer than its limit.
    public static let tooLarge = Code(rawValue: "tooLarge")
    /// A file is not a property list in any form.
    public static let malformed = Code(rawValue: "malformed")
    /// A key is missing.
    public static let missingKey = Code(rawValue: "missingKey")
    /// A key's value has another type.
    public static let wrongType = Code(rawValue: "wrongType")
    /// A key's value is not allowed.
    public static let wrongValue = Code(rawValue: "wrongValue")
    /// Somebody else could have put it there, or could change it.
    public static let notTrusted = Code(rawValue: "notTrusted")
    /// The executable cannot be run here.
    public static let notExecutable = Code(rawValue: "notExecutable")
    /// Another bundle was there first.
    public static let duplicate = Code(rawValue: "duplicate")
    /// There are more bundles than are shown.
    public static let tooMany = Code(rawValue: "tooMany")
  }

  /// `value` in quotation marks, cut to 80 characters.
  static func quoted(_ value: String) -> String {
    value.count > 80 ? "\"\(value.prefix(79))…\"" : "\"\(value)\""
  }

  /// Safe text without line breaks: names come from strangers' disks and property lists.
  private static func line(_ text: String) -> String {
    SafeText(text).string.split(separator: "\n", omittingEmptySubsequences: false)
      .joined(separator: " ")
  }
}

/// What is wrong inside a file, before it is known which file that is.
struct BundleFault: Error {
  var code: BundleError.Code
  var key: String?
  var found: String
  var expected: String

  static func missing(_ key: String, expected: String) -> BundleFault {
    BundleFault(code: .missingKey, key: key, found: "missing", expected: expected)
  }

  static func wrongType(_ key: String?, found: String, expected: String) -> BundleFault {
    BundleFault(code: .wrongType, key: key, found: found, expected: expected)
  }

  static func wrongValue(_ key: String, _ value: String, expected: String) -> BundleFault {
    BundleFault(
      code: .wrongValue,
      key: key,
      found: BundleError.quoted(value),
      expected: expected
    )
  }

  static func unreadable(_ found: String, expected: String) -> BundleFault {
    BundleFault(code: .unreadable, key: nil, found: found, expected: expected)
  }

  func located(_ file: String, in location: BundleLocation) -> BundleError {
    BundleError(
      code,
      bundlePath: location.path,
      file: file.isEmpty ? location.name : "\(location.name)/\(file)",
      key: key,
      found: found,
      expected: expected
    )
  }
}
