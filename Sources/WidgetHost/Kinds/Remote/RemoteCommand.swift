import WidgetKitCore

/// The command line of `ssh` for something that runs on another machine, through the connection of a ``RemoteHost``.
nonisolated struct RemoteCommand {
  /// The machine.
  let destination: RemoteDestination
  /// The program `ssh`.
  let program: String
  /// The socket of the connection.
  let socket: String

  /// What every use of ssh here has in common: it never asks anything, and opens nothing that was not asked for.
  static let options = [
    "BatchMode=yes", "ClearAllForwardings=yes", "ForwardAgent=no", "ForwardX11=no", "RequestTTY=no",
    "RemoteCommand=none",
  ]

  /// How ssh ends if the connection fails; a program that ends in the same way there cannot be told from it.
  static let connectionFailure = TerminationStatus.exited(255)

  /// The arguments that run a command line of `sh`.
  func arguments(_ commandLine: String) -> [String] {
    Self.options.flatMap { ["-o", $0] }
      + ["-o", "ControlMaster=no", "-o", "PermitLocalCommand=no", "-S", socket]
      + ["--", destination.description, commandLine]
  }

  /// Runs a script that is sent as the beginning of standard input.
  ///
  /// It stands in a file of its own while it runs. When the connection ends, it is ended with all that it has
  /// started, unless that has left its session.
  ///
  /// - Parameters:
  ///   - byteCount: The length of the script.
  ///   - variables: Variables of its environment besides those of a login.
  ///   - readsInput: Whether the rest of standard input is for the script; the end of the connection is then
  ///     the end of its input.
  /// - Returns: The arguments of ssh.
  func script(byteCount: Int, variables: [String: String], readsInput: Bool) -> [String] {
    let pairs = variables.sorted { $0.key < $1.key }.map {
      ShellWord.quoted("\($0.key)=\($0.value)")
    }
    let words = ["\(byteCount)", readsInput ? "input" : "none"] + pairs
    return arguments("exec sh -c '\(Self.wrapper)' today \(words.joined(separator: " "))")
  }

  /// What the other side runs, without an apostrophe, as it stands in a pair of them.
  ///
  /// `setsid` is not on every system, and the `kill` of some shells does not know `--`.
  private static let wrapper = """
    f=$(mktemp "${TMPDIR:-/tmp}/today.XXXXXXXXXX") || exit 126
    trap "rm -f \\"$f\\"" EXIT
    trap "exit 129" HUP INT TERM
    head -c "$1" >"$f" && chmod 700 "$f" || exit 126
    input=$2
    shift 2
    own=
    if command -v setsid >/dev/null 2>&1; then own=setsid; fi
    exec 3<&0
    if [ $input = input ]; then
      env "$@" $own "$f" <&3 3<&- & p=$!
    else
      env "$@" $own "$f" </dev/null 3<&- & p=$!
      {
        cat <&3
        kill -TERM -$p || kill -TERM $p
        sleep 1
        kill -KILL -$p || kill -KILL $p
      } >/dev/null 2>&1 & w=$!
    fi
    exec 3<&-
    wait $p
    status=$?
    if [ -n "$w" ]; then kill $w 2>/dev/null; fi
    exit $status
    """
}
