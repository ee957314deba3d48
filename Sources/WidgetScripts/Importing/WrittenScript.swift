import Glibc
public import WidgetKitCore
public import WidgetPlatform

/// A script that the program writes: a command line of the user, or a module of another program.
public struct WrittenScript: Sendable {
  /// The name of the file without its ending: letters, digits, `-` and `_`.
  public let name: String
  /// What its line says, in order.
  public var options: [(name: String, value: String)]
  /// The commands.
  public var body: String

  /// The characters of a name.
  static let nameLength = 64

  /// Creates a script; all other characters of the name become `-`.
  public init(name: String, options: [(name: String, value: String)], body: String) {
    var plain = ""
    for character in name.prefix(Self.nameLength) {
      let isPlain =
        character.isASCII && (character.isLetter || character.isNumber || character == "_")
      if isPlain {
        plain.append(character)
      } else if plain.last != "-", !plain.isEmpty {
        plain.append("-")
      }
    }
    while plain.last == "-" { plain.removeLast() }
    self.name = plain.isEmpty ? "script" : plain
    self.options = options
    self.body = body
  }

  /// The identifier of its widget.
  public var identifier: String { ScriptName(file: fileName)?.identifier ?? "script.\(name)" }

  /// The name of its file.
  var fileName: String { "\(name).sh" }

  /// The file.
  public var text: String {
    let lines = options.map { "# today: \($0.name)=\(Self.quoted($0.value))" }
    return (["#!/bin/sh"] + lines + [body]).joined(separator: "\n") + "\n"
  }

  /// A value in the quotes of a script's line.
  private static func quoted(_ value: String) -> String {
    let plain = value.split(whereSeparator: \.isNewline).joined(separator: " ")
    if !plain.contains("\"") { return "\"" + plain.replacing("\\", with: "\\\\") + "\"" }
    if !plain.contains("'") { return "'\(plain)'" }
    return "\"" + plain.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }

  /// Writes it to a folder of the program; one with its name is replaced.
  ///
  /// - Throws: ``HostError`` if it cannot be written.
  public func write(to folder: String) throws(HostError) {
    try write(to: folder, waitsForDisk: true)
  }

  /// Writes it like ``write(to:)``; without `waitsForDisk` it may be missing after a power failure.
  package func write(to folder: String, waitsForDisk: Bool) throws(HostError) {
    let path = "\(folder)/\(fileName)"
    try DurableFile.write(text.utf8, to: path, waitsForDisk: waitsForDisk)
    guard unsafe chmod(path, 0o700) == 0 else { throw .system("make \(path) executable", errno) }
  }

  /// Removes it from a folder.
  package func remove(from folder: String) { DurableFile.remove("\(folder)/\(fileName)") }

  /// What a file of its name in a folder has; nil if there is none.
  func present(in folder: String) -> String? {
    DurableFile.read("\(folder)/\(fileName)", byteLimit: 1 << 20).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  /// The same with a name that no other script of a folder has.
  public func unused(in folder: String) -> WrittenScript {
    var script = self
    var number = 2
    while let present = script.present(in: folder), present != text, number < 1_000 {
      script = WrittenScript(name: "\(name)-\(number)", options: options, body: body)
      number += 1
    }
    return script
  }

  /// The folder of such scripts: `~/.local/share/today/scripts`; nil without a home.
  public static func folder(_ environment: [String: String]) -> String? {
    let base = BaseFolders(environment)
    return base.hasData ? "\(base.data)/today/scripts" : nil
  }
}

/// What was read of the configuration of another program.
public struct ImportedScripts: Sendable {
  /// The scripts, in the order of the file.
  public internal(set) var scripts: [WrittenScript] = []
  /// What could not be used, in words.
  public internal(set) var remarks: [SafeText] = []

  /// Why nothing could be read.
  public struct Failure: Error, CustomStringConvertible {
    /// What is wrong with the file.
    public var description: String
  }

  /// The most scripts of a file.
  static let limit = 500

  /// Adds a script; one whose name another has already gets a number.
  mutating func addNumbered(_ script: WrittenScript) {
    let taken = Set(scripts.map(\.name))
    var free = script
    var number = 2
    while taken.contains(free.name) {
      let suffix = "-\(number)"
      let name = script.name.prefix(WrittenScript.nameLength - suffix.count) + suffix
      free = WrittenScript(name: String(name), options: script.options, body: script.body)
      number += 1
    }
    scripts.append(free)
  }
}
