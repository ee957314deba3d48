import Glibc
import WidgetKitCore
import WidgetPlatform

/// The scripts of a folder on another machine, as that machine has listed them.
///
/// Everything in it comes from the other side, which may be hostile: the number of files, their names and their
/// sizes are limited, and names that could be something else here are left out.
struct FolderListing: Hashable, Sendable {
  /// The beginnings of the files, by their names.
  private(set) var files: [String: [UInt8]] = [:]
  /// How many scripts were left out: for their names, or because there are too many.
  private(set) var omitted = 0

  /// The most scripts of a folder.
  static let fileLimit = 200
  /// The bytes of a file in which its name, its interval and its settings are looked for.
  static let headBytes = 16 * 1024
  /// The bytes that a login shell may print before the list.
  private static let greetingBytes = 64 * 1024
  /// The most bytes of a file name (NAME_MAX), and those of a number behind it.
  private static let nameBytes = 255
  /// The most bytes of a list.
  static let byteLimit = greetingBytes + fileLimit * (headBytes + nameBytes + 16)

  /// What comes before the list, after what a login shell prints.
  private static let mark = Array("\0today\0".utf8)

  /// What the other side runs to list the folder `$1`, without an apostrophe: a mark, then for each file its name,
  /// its size here and its beginning, and at the end no name and how many there are.
  static let script = """
    \(RemoteCommand.folderWords)
    cd "$d" || exit \(missingFolder)
    t=$(mktemp "${TMPDIR:-/tmp}/today.XXXXXXXXXX") || exit 126
    trap "rm -f \\"$t\\"" EXIT
    trap "exit 129" HUP INT TERM PIPE
    printf "\\\\000today\\\\000"
    n=0
    for f in *; do
      case $f in
        *.vars.json) ;;
        *) [ -x "$f" ] || continue ;;
      esac
      [ -f "$f" ] && [ -r "$f" ] || continue
      n=$((n + 1))
      [ $n -le \(fileLimit) ] || continue
      head -c \(headBytes) <"$f" >"$t" || continue
      printf "%s\\\\000%d\\\\000" "$f" "$(wc -c <"$t")"
      cat "$t"
    done
    printf "\\\\000%d\\\\000" $n
    """

  /// What it exits with if there is no such folder.
  static let missingFolder: Int32 = 3

  /// Reads what was printed; nil if it is not a list, or not a whole one.
  init?(_ output: [UInt8]) {
    let greeting = output.prefix(Self.greetingBytes + Self.mark.count)
    guard let start = greeting.firstRange(of: Self.mark)?.upperBound else { return nil }
    var rest = output[start...]
    var count = 0
    while true {
      guard let name = Self.field(&rest), let digits = Self.field(&rest), digits.count <= 9,
        let number = Int(String(decoding: digits, as: UTF8.self)), number >= 0
      else { return nil }
      guard !name.isEmpty else {
        omitted += max(0, number - count)
        return
      }
      count += 1
      guard count <= Self.fileLimit, number <= Self.headBytes, number <= rest.count else {
        return nil
      }
      add(name, rest.prefix(number))
      rest = rest.dropFirst(number)
    }
  }

  private mutating func add(_ bytes: ArraySlice<UInt8>, _ head: ArraySlice<UInt8>) {
    guard let name = String(validating: bytes, as: UTF8.self), Self.isUsable(name) else {
      omitted += 1
      return
    }
    guard ScriptName(file: name) != nil || name.hasSuffix(".vars.json") else { return }
    files[name] = Array(head)
  }

  /// Whether a file of this name can be kept here, and cannot be taken for another one.
  private static func isUsable(_ name: String) -> Bool {
    OwnPath.isPlain(name) && name.utf8.count <= nameBytes && !OwnFolder.isTemporary(name)
      && name.unicodeScalars.allSatisfy {
        ![.control, .format, .lineSeparator, .paragraphSeparator].contains(
          $0.properties.generalCategory
        )
      }
  }

  /// The bytes up to the next NUL, which is taken too; nil if there is none, or too late for a name.
  private static func field(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let start = rest.prefix(nameBytes + 1)
    guard let end = start.firstIndex(of: 0) else { return nil }
    defer { rest = rest[(end + 1)...] }
    return rest[..<end]
  }

  // MARK: - The copy here

  /// Keeps the list in a folder of the program, in which it is found like scripts of this machine.
  ///
  /// This function writes to the disk: call it off the main actor.
  ///
  /// - Parameter path: The folder, which is made if it is missing.
  /// - Returns: Whether it differs from the list that was there.
  /// - Throws: ``HostError`` if it cannot be written.
  func keep(in path: String) throws(HostError) -> Bool {
    var isOther = false
    do throws(FileFault) {
      let folder = try OwnFolder.open(path, makes: true)
      folder.removeStrays()
      for name in folder.names() where files[name] == nil && !OwnFolder.isTemporary(name) {
        isOther = folder.remove(name) || isOther
      }
      for (name, head) in files {
        if let file = try? folder.file(name, O_RDONLY),
          DurableFile.Contents(file, byteLimit: Self.headBytes) == .whole(head)
        {
          continue
        }
        try folder.replace(name, with: head, waitsForDisk: false)
        isOther = true
      }
    } catch {
      throw .file("write", path, error)
    }
    return isOther
  }
}
