import WidgetHost
import WidgetKitCore

/// What the program and its commands take: `today help [COMMAND]`.
struct HelpCommand: Command {
  var topic: String?

  func run() async throws(CommandError) -> ExitCode {
    guard let topic else {
      StandardStreams.writeLine(SafeText(Self.overview))
      return .success
    }
    guard let text = Self.topics[topic] else {
      throw .usage("“\(topic)” is no command; see “today help” for those there are")
    }
    StandardStreams.writeLine(SafeText(text))
    return .success
  }

  private static let overview = """
    today: a Notification Center for the terminal.

      today                      the dashboard; ? lists its keys, q quits
      today snapshot [ID...]     the same cards once, on standard output
      today refresh [ID...]      ask widgets for new data now
      today schedule on|off|status  keep pictures fresh while nothing is open
      today list                 the widgets that there are, and where they are on the page
      today add ID...            put widgets on the page
      today remove ID...         take widgets off the page
      today move ID N            give a widget another place on the page
      today reload ID...         ask for updates now, from a script or an app
      today has-content ID on|off  whether a widget has anything to show
      today open URL             open a URL as a widget would
      today test BUNDLE          hold a widget against the protocol
      today log ID               what a widget said
      today help COMMAND         the options of a command

    Everywhere:
      --widgets DIR              look for bundles in DIR alone; may be given again
      --trace FILE               write every message to FILE, a JSON line each

    ID is a bundle identifier, or a name that only one widget has: “today remove Clock”.

    Exit codes: 0 done, 1 it did not work, 64 wrong usage, 66 no such widget or file,
    69 a needed service is missing, 75 try again later.
    """

  private static let topics: [String: String] = [
    "snapshot": """
    today snapshot [ID...] [--format text|ansi|json|svg|html] [--width N] [--cached] [--all]
                   [--max-age S] [--timeout S]

    Starts the widgets, waits for their update, prints the page once and ends them. With IDs,
    bundle identifiers or names as “today list” shows them, only those.

      --format    text (as it is), ansi (with colours), json, svg or html; text by default
      --width     columns, 1 to 1000; 80 by default
      --cached    start nothing; print what was kept
      --all       also widgets that are not on the page
      --max-age   fail where content is older than S seconds
      --timeout   wait at most S seconds for a widget; 10 by default

    Exits with 1 where a widget failed, has nothing to show or timed out; standard error says
    which. The page is printed all the same.
    """,
    "refresh": """
    today refresh [ID...] [--due] [--user] [--timeout S]

    Asks the widgets, or those named, for new data and keeps what comes. Prints a line for each:
    its identifier, newData, noData or failed, and milliseconds. Standard error says why one failed.

      --due       only those whose time has come, or that “today reload” asked for; for cron and
                  systemd. What another host is at is left to it
      --user      say that a person wants it, as is said without --due
      --timeout   wait at most S seconds; by default until a widget has had its time for starting
                  and for the update, 38 together
    """,
    "schedule": """
    today schedule on|off|status

    Has systemctl --user run “today refresh --due” every five minutes, so that pictures are fresh
    when nothing is open. Without a systemd of the user it prints the line for cron and exits
    with 69.
    """,
    "list": """
    today list [--json]

    Prints the widgets that there are: identifier, place on the page and name; in place of the
    place new, removed or no content. What is wrong with others is said on standard error.
    """,
    "add": """
    today add ID...

    Puts widgets on the page, behind those that are there. ID is an identifier, or a name that only
    one widget has; an app's identifier stands for all of its widgets. A dashboard that is open
    follows at once.
    """,
    "remove": """
    today remove ID...

    Takes widgets off the page and ends them; what they keep stays. “today add” brings them back.
    """,
    "move": """
    today move ID N

    Gives a widget on the page the place N; the first is 1.
    """,
    "reload": """
    today reload ID...

    Asks for updates now: a running dashboard makes them, and without one “today refresh --due”
    does. Prints how many widgets were asked; a widget that is not on the page counts as none.
    """,
    "has-content": """
    today has-content ID on|off

    Says for a containing app whether its widget has anything to show. Off takes the card away,
    drops its pictures, and nobody starts the widget until it is on again.
    """,
    "open": """
    today open URL

    Opens the URL with the app that registered its scheme, or hands http, https and mailto to the
    desktop. Exits with 1 where nothing could open it.
    """,
    "test": """
    today test BUNDLE

    Takes the widget through launch, appearance, update, a press on each element, a resize,
    disappearance and shutdown, against the protocol's deadlines and rules. Prints TAP and exits
    with 0 or 1. BUNDLE is a .widget folder, or an .app folder for all that are in it.
    """,
    "log": """
    today log ID [--json]

    Prints the widget's last runs (why it was started, milliseconds, CPU, bytes, faults, what its
    updates came to, how it ended), then its log: what it wrote on standard error, and what the
    host noted of it.
    """,
  ]
}

/// The version: `today --version`.
struct VersionCommand: Command {
  func run() async throws(CommandError) -> ExitCode {
    StandardStreams.writeLine(SafeText("today \(HostVersion.current)"))
    return .success
  }
}
