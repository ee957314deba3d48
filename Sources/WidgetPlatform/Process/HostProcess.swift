import CPlatform
import Glibc

/// The setup of the host's own process, which is done once, before anything else.
public enum HostProcess {
  /// Raises the limit on descriptors, and ignores SIGPIPE and SIGXFSZ: a write to a dead widget, or to
  /// a file that may not grow, must return an error.
  ///
  /// The signals of scripts are ignored too, except by a dashboard, which reads them.
  public static func prepare() {
    openStandardStreams()
    platform_run_tasks_on_main()
    platform_reset_signals()
    platform_ignore_write_signals()
    platform_ignore_user_signals()
    _ = platform_raise_descriptor_limit()
    unsafe platform_name_arguments(platform_arguments())
  }

  /// Opens standard streams that are closed, so that no other file gets their numbers; to use them is still an error.
  private static func openStandardStreams() {
    for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) < 0 {
      // The lowest number that is free is the one of the stream.
      _ = unsafe open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// The path of the terminal of the process, such as “/dev/pts/3”; nil if it has none, or if that is not known.
  package static func terminalPath() -> String? {
    let terminal = unsafe open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC)
    guard terminal >= 0 else { return nil }
    close(terminal)
    // “/dev/tty” is the name of that one; a stream has the other.
    for stream in [STDERR_FILENO, STDOUT_FILENO, STDIN_FILENO] where isatty(stream) == 1 {
      if let path = SymbolicLink.target("/proc/self/fd/\(stream)"), path != "/dev/tty" {
        return path
      }
    }
    // The number of the terminal is the fifth after the name in parentheses (proc_pid_stat(5)).
    let fields = ProcFile.text("/proc/self/stat")?.split(separator: ")").last?.split(separator: " ")
    guard let fields, fields.count > 4, let number = UInt32(fields[4]) else { return nil }
    // Terminals in windows have the major numbers 136 to 143.
    let (major, minor) = (number >> 8 & 0xFFF, number & 0xFF | number >> 12 & 0xFFF00)
    return (136...143).contains(major) ? "/dev/pts/\((major - 136) << 20 | minor)" : nil
  }

  /// Returns the arguments of the program, the first of which is its name.
  ///
  /// Not from `CommandLine`, which reads them in /proc, where there may be none.
  public static func arguments() -> [String] {
    var result: [String] = []
    var entry = unsafe platform_arguments()
    while let text = unsafe entry.pointee {
      unsafe result.append(String(cString: text))
      unsafe entry += 1
    }
    return result
  }

  /// The arguments that are not UTF-8: as ``arguments()`` has them, and with the bytes in words.
  ///
  /// A path is bytes, and one that is not UTF-8 would become the path of another file.
  public static func unreadableArguments() -> [(text: String, words: String)] {
    var result: [(String, String)] = []
    var entry = unsafe platform_arguments()
    while let text = unsafe entry.pointee {
      let bytes = unsafe Array(UnsafeBufferPointer(start: text, count: strlen(text)))
        .map { UInt8(bitPattern: $0) }
      if String(validating: bytes, as: UTF8.self) == nil {
        result.append((String(decoding: bytes, as: UTF8.self), FolderNames.escaped(bytes)))
      }
      unsafe entry += 1
    }
    return result
  }

  /// Returns the user's environment; if a name occurs twice, the first value is used.
  ///
  /// If `HOME` is not set, empty or relative, it is the home folder that the system knows for the user, and
  /// missing if there is none.
  public static func environment() -> [String: String] {
    var result = plainEnvironment()
    if result["HOME"]?.hasPrefix("/") != true { result["HOME"] = knownHome() }
    return result
  }

  /// The user's home folder in the database of users; nil if there is none.
  private static func knownHome() -> String? {
    guard let entry = unsafe getpwuid(getuid()), let folder = unsafe entry.pointee.pw_dir else {
      return nil
    }
    let path = unsafe String(cString: folder)
    // Users of services may have the root folder, in which nothing is theirs.
    return path.hasPrefix("/") && path.contains { $0 != "/" } ? path : nil
  }

  private static func plainEnvironment() -> [String: String] {
    var result: [String: String] = [:]
    guard var entry = unsafe platform_environment() else { return result }
    while let text = unsafe entry.pointee {
      // By bytes: a value that begins with a combining mark would be one character with the sign before it.
      let entryText = unsafe String(cString: text)
      let bytes = entryText.utf8
      if let sign = bytes.firstIndex(of: UInt8(ascii: "=")) {
        let name = String(entryText[..<sign])
        if result[name] == nil { result[name] = String(entryText[bytes.index(after: sign)...]) }
      }
      unsafe entry += 1
    }
    return result
  }

  /// The variables that name folders of the user and are not UTF-8, each with its value in words.
  ///
  /// A path is bytes, and one that is not UTF-8 would become the path of another folder.
  public static func unreadableFolders() -> [(name: String, value: String)] {
    let names = [
      "HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME",
      "XDG_RUNTIME_DIR",
    ]
    return names.compactMap { name in
      guard let value = unsafe getenv(name) else { return nil }
      let bytes = unsafe Array(UnsafeBufferPointer(start: value, count: strlen(value)))
        .map { UInt8(bitPattern: $0) }
      guard String(validating: bytes, as: UTF8.self) == nil else { return nil }
      return (name, FolderNames.escaped(bytes))
    }
  }

  /// Becomes another program, which is looked for in `PATH`; an open file stays open in it.
  ///
  /// - Parameters:
  ///   - arguments: The program and its arguments.
  ///   - file: The file; −1 for none.
  /// - Returns: Why it could not be started.
  package static func become(_ arguments: [String], keeping file: Int32 = -1) -> HostError {
    let failure = unsafe withPointers(to: arguments) { list in
      unsafe platform_become(list, file)
    }
    return .launch(arguments.first ?? "", failure)
  }

  /// Calls `body` with arguments as C has them, with a null pointer behind the last one.
  package static func withPointers<Result>(
    to arguments: [String],
    _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
  ) -> Result {
    let words = unsafe arguments.map { unsafe strdup($0) }
    defer { for index in unsafe words.indices { unsafe free(words[index]) } }
    var pointers = unsafe words.map { word in unsafe word.map { unsafe UnsafePointer<CChar>($0) } }
    unsafe pointers.append(nil)
    return unsafe body(pointers)
  }

  /// Returns the program's own path, with links resolved.
  public static func executablePath() -> String {
    unsafe SymbolicLink.target("/proc/self/exe") ?? String(cString: platform_executable())
  }
}
