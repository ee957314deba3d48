import WidgetKitCore
package import WidgetPlatform

/// The command line of `ssh` for something that runs on another machine, through the connection of a ``RemoteHost``.
package struct RemoteCommand {
  /// The machine.
  let destination: RemoteDestination
  /// The program `ssh`.
  package let program: String
  /// The socket of the connection.
  let socket: String

  /// What every use of ssh here has in common: it never asks anything, and opens nothing that was not asked for.
  static let options = [
    "BatchMode=yes", "ClearAllForwardings=yes", "ForwardAgent=no", "ForwardX11=no",
    "RemoteCommand=none",
  ]

  /// How ssh ends if the connection fails; a program that ends in the same way there cannot be told from it.
  package static let connectionFailure = TerminationStatus.exited(255)

  /// The arguments that run a command line of `sh`.
  func arguments(_ commandLine: String, onTerminal: Bool = false) -> [String] {
    (Self.options + ["RequestTTY=\(onTerminal ? "force" : "no")"]).flatMap { ["-o", $0] }
      + ["-o", "ControlMaster=no", "-o", "PermitLocalCommand=no", "-S", socket]
      + ["--", destination.description, commandLine]
  }

  /// The arguments that run a script of `sh` without an apostrophe, with words of its own.
  private func arguments(
    _ script: String,
    _ words: [String],
    onTerminal: Bool = false
  ) -> [String] {
    let words = words.map(ShellWord.quoted).joined(separator: " ")
    return arguments("exec sh -c '\(script)' today \(words)", onTerminal: onTerminal)
  }

  // MARK: - Scripts

  /// Where a script is.
  enum Place {
    /// It is the beginning of standard input, and has this many bytes.
    case sent(byteCount: Int)
    /// It is on the other machine already.
    case there(path: String)
  }

  /// Runs a script that is there, or that is sent as the beginning of standard input.
  ///
  /// One that is sent is in a file of its own while it runs. When the connection ends, it is ended with all that
  /// it has started, unless that has left its session.
  ///
  /// - Parameters:
  ///   - place: Where it is.
  ///   - variables: Variables of its environment besides those of a login.
  ///   - readsInput: Whether the rest of standard input is for the script; the end of the connection is then
  ///     the end of its input.
  /// - Returns: The arguments of ssh.
  func script(_ place: Place, variables: [String: String], readsInput: Bool) -> [String] {
    let pairs = variables.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    let words =
      switch place {
      case .sent(let byteCount): ["\(byteCount)", ""]
      case .there(let path): ["there", path]
      }
    return arguments(Self.wrapper, words + [readsInput ? "input" : "none"] + pairs)
  }

  /// What the other side runs, without an apostrophe, as it is in a pair of them.
  ///
  /// `setsid` is not on every system, and the `kill` of some shells does not know `--`.
  private static let wrapper = """
    if [ "$1" = there ]; then
      case $2 in "~/"*) f=$HOME/${2#"~/"} ;; *) f=$2 ;; esac
      cd "${f%/*}/" && [ -x "$f" ] || exit 126
    else
      f=$(mktemp "${TMPDIR:-/tmp}/today.XXXXXXXXXX") || exit 126
      trap "rm -f \\"$f\\"" EXIT
      trap "exit 129" HUP INT TERM
      head -c "$1" >"$f" && chmod 700 "$f" || exit 126
    fi
    input=$3
    shift 3
    exec 3<&0
    if [ $input = input ]; then
      env "$@" \(ownSession) "$f" <&3 3<&- & p=$!
    else
      env "$@" \(ownSession) "$f" </dev/null 3<&- & p=$!
      \(watch)
    fi
    \(wait)
    """

  // MARK: - Lists and commands

  /// Lists the scripts of a folder; see ``FolderListing``.
  func listing(of folder: String) -> [String] { arguments(FolderListing.script, [folder]) }

  /// Looks at a folder into which files are put, or puts them there; see ``RemoteDrop``.
  func drop(_ script: String, _ words: [String]) -> [String] { arguments(script, words) }

  /// Runs a command of a script.
  ///
  /// Without a terminal it ends with the connection, as a script does, and standard input has to stay open for as long
  /// as it runs.
  ///
  /// - Parameters:
  ///   - words: The program and its arguments.
  ///   - folder: The folder there in which it runs; nil for that of a login.
  ///   - onTerminal: Whether it gets a terminal.
  /// - Returns: The arguments of ssh.
  package func command(_ words: [String], in folder: String?, onTerminal: Bool) -> [String] {
    let start =
      onTerminal
      ? #"exec "$@""#
      : """
      exec 3<&0
      \(Self.ownSession) "$@" </dev/null 3<&- & p=$!
      \(Self.watch)
      \(Self.wait)
      """
    let script = """
      \(Self.folderWords)
      if [ -n "$d" ]; then cd "$d" || exit 126; fi
      shift
      if ! command -v "$1" >/dev/null 2>&1; then
        echo "$1 is not installed, or cannot be run" >&2
        exit 127
      fi
      \(start)
      """
    return arguments(script, [folder ?? ""] + words, onTerminal: onTerminal)
  }

  /// Finds the path `d` of a folder `$1`, which is below the home of the user there if it is not absolute; none for none.
  static let folderWords =
    #"case $1 in "" | /*) d=$1 ;; "~/"*) d=$HOME/${1#"~/"} ;; *) d=$HOME/$1 ;; esac"#

  /// `setsid`, or nothing where there is none.
  private static let ownSession = "$(command -v setsid 2>/dev/null)"

  /// Ends the process `p`, with its group, when descriptor 3 ends.
  private static let watch = """
    {
      cat <&3
      kill -TERM -$p || kill -TERM $p
      sleep 1
      kill -KILL -$p || kill -KILL $p
    } >/dev/null 2>&1 & w=$!
    """

  /// Waits for the process `p`.
  private static let wait = """
    exec 3<&-
    wait $p
    status=$?
    if [ -n "$w" ]; then kill $w 2>/dev/null; fi
    exit $status
    """
}
