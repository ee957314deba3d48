import Glibc

/// Checks the executable of a bundle.
///
/// The kernel refuses a file in an unknown format, and programs that start others may then
/// pass the file to a shell, which tries to interpret it. So the format is checked here,
/// before anything is started.
enum BundleExecutable {
  private static let expected = "the executable that CFBundleExecutable names"

  /// Checks the file `name` of a bundle.
  ///
  /// - Returns: The path to start: the file itself, or the target of its link in the bundle.
  static func check(
    _ name: String,
    in folder: String,
    _ trust: BundleTrust
  ) throws(BundleFault) -> String {
    let named = "\(folder)/\(name)"
    if trust.acceptsMissingProgram, !BundleFile.exists(named) { return named }
    let path = try resolveLink(named, in: folder, trust)
    let file = try BundleFile.open(path, expected: expected)
    try trust.check(file.status)
    guard access(path, X_OK) == 0, file.status.st_mode & 0o111 != 0 else {
      throw BundleFault(
        code: .notExecutable,
        key: nil,
        found: "not executable",
        expected: "an executable file (chmod +x)"
      )
    }
    guard try isRunnable(file.prefix(20)) else {
      throw BundleFault(
        code: .notExecutable,
        key: nil,
        found: "not a program for this machine",
        expected: "a script that begins with #! or an ELF program for \(machineName)"
      )
    }
    return path
  }

  private static func resolveLink(
    _ path: String,
    in folder: String,
    _ trust: BundleTrust
  ) throws(BundleFault) -> String {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return path }
    guard let target = resolvedPath(path) else {
      throw .unreadable("a broken symbolic link", expected: expected)
    }
    guard let root = resolvedPath(folder), target.hasPrefix(root + "/") else {
      throw .unreadable("a symbolic link to a target outside the bundle", expected: expected)
    }
    // Any user who can write to a folder on the path can replace the executable.
    var above = root
    for part in target.dropFirst(root.count).split(separator: "/").dropLast() {
      above += "/\(part)"
      guard stat(above, &status) == 0 else {
        throw .unreadable(FileProblem.current.words, expected: expected)
      }
      try trust.check(status)
    }
    return target
  }

  /// Whether a file that begins with `magic` is a script with an interpreter, or an ELF program of
  /// this machine (System V ABI, "ELF Header": class, data, and `e_machine` at offset 18).
  static func isRunnable(_ magic: [UInt8]) -> Bool {
    if magic.starts(with: [UInt8(ascii: "#"), UInt8(ascii: "!")]) { return true }
    guard magic.count >= 20, magic.starts(with: [0x7F] + Array("ELF".utf8)) else { return false }
    let is64BitLittleEndian = magic[4] == 2 && magic[5] == 1
    return is64BitLittleEndian && UInt16(magic[18]) | UInt16(magic[19]) << 8 == machine
  }

  #if arch(x86_64)
  static let machine: UInt16 = 62
  static let machineName = "x86_64"
  #elseif arch(arm64)
  static let machine: UInt16 = 183
  static let machineName = "aarch64"
  #elseif arch(riscv64)
  static let machine: UInt16 = 243
  static let machineName = "riscv64"
  #endif
}
