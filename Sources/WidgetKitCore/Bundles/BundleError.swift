/// Why a bundle was ignored: which file, which key, what was found there and what was expected.
///
/// Its description is one line that a user can act on:
/// ```
/// Clock.widget/Info.plist: CFBundleExecutable is missing; expected the name of a file in the bundle
/// ```
public struct BundleError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of error.
  public var code: Code
  /// The folder of the bundle, as it was given.
  public var bundlePath: String
  /// The file with the error, relative to the outermost bundle: `Clock.widget/Info.plist`.
  public var file: String
  /// The key in the property list; nil if the whole file is meant.
  public var key: String?
  /// What was found, worded to follow "is".
  public var found: String
  /// What was found, worded to follow "is".
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

  /// A kind of error; other modules can add their own.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The kind's name.
    public var rawValue: String

    /// Creates a kind.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// A file or folder is missing, of the wrong kind, or cannot be opened.
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
    /// Another user owns it or can change it.
    public static let notTrusted = Code(rawValue: "notTrusted")
    /// The executable cannot be run here.
    public static let notExecutable = Code(rawValue: "notExecutable")
    /// Another bundle has the same identifier.
    public static let duplicate = Code(rawValue: "duplicate")
    /// There are more bundles than the limit.
    public static let tooMany = Code(rawValue: "tooMany")
  }

  /// `value` in quotation marks, cut to 80 characters.
  static func quoted(_ value: String) -> String {
    value.count > 80 ? "\"\(value.prefix(79))…\"" : "\"\(value)\""
  }

  /// Safe text without line breaks: names can contain any characters.
  private static func line(_ text: String) -> String {
    SafeText(text).string.split(separator: "\n", omittingEmptySubsequences: false)
      .joined(separator: " ")
  }
}

/// An error inside a file, without the name of the file.
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
