import Glibc

/// An error of the engine, with a message on which a user can act.
public struct HostError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of the error.
  public var code: Code
  /// What failed, on which object, and why.
  public var description: String

  /// Creates it with its values.
  package init(code: Code, description: String) {
    self.code = code
    self.description = description
  }

  /// A kind of error.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// Its name.
    public var rawValue: String

    /// Creates a kind from its name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// A system call failed.
    public static let system = Code(rawValue: "system")
    /// A program could not be started.
    public static let launch = Code(rawValue: "launch")
    /// A file could not be read or written.
    public static let file = Code(rawValue: "file")
    /// What is to be used is not there.
    public static let missing = Code(rawValue: "missing")
    /// A text is not the identity of an extension.
    public static let identity = Code(rawValue: "identity")
    /// A widget has no such setting, or the value cannot be one of it.
    public static let setting = Code(rawValue: "setting")
    /// config.json sets what was to be set in the program.
    public static let fixed = Code(rawValue: "fixed")
    /// A widget is not started before the user has done something.
    public static let withheld = Code(rawValue: "withheld")
    /// It is not to be done with this file or extension.
    public static let refused = Code(rawValue: "refused")
    /// Another program is using the file at present.
    public static let busy = Code(rawValue: "busy")
    /// There is no space for more.
    public static let tooLarge = Code(rawValue: "tooLarge")
  }

  package static func system(_ what: String, _ number: Int32) -> HostError {
    HostError(code: .system, description: "could not \(what): \(text(of: number))")
  }

  package static func launch(_ path: String, _ number: Int32) -> HostError {
    let reason = number == ENOENT ? missingInterpreter(of: path) : nil
    return HostError(
      code: .launch,
      description: "could not start \(path): \(reason ?? text(of: number))"
    )
  }

  /// Why a script that is there is “not found”: its first line names a program that is not.
  private static func missingInterpreter(of path: String) -> String? {
    guard let bytes = UserFile.bytes(path, byteLimit: 1 << 20), bytes.starts(with: "#!".utf8) else {
      return nil
    }
    let line = String(
      decoding: bytes.prefix(256).prefix { $0 != UInt8(ascii: "\n") },
      as: UTF8.self
    )
    let program = line.dropFirst(2).split(whereSeparator: \.isWhitespace).first.map(String.init)
    guard let program, unsafe access(program, F_OK) != 0 else { return nil }
    return "\(program), which its first line names, is not installed"
  }

  package static func file(_ what: String, _ path: String, _ number: Int32) -> HostError {
    HostError(code: .file, description: "could not \(what) \(path): \(text(of: number))")
  }

  package static func file(_ what: String, _ path: String, _ fault: FileFault) -> HostError {
    HostError(code: .file, description: "could not \(what) \(path): \(fault.words)")
  }

  package static func text(of number: Int32) -> String {
    unsafe String(cString: strerror(number))
  }
}
