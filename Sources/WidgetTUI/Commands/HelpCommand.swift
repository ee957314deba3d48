import WidgetHost
import WidgetKitCore

/// `today help [COMMAND]`: the usage of the program or of one command.
struct HelpCommand: Command {
  var topic: String?

  func run() async throws(CommandError) -> ExitCode {
    guard let topic else {
      StandardStreams.writeParagraph(SafeText(Self.overview))
      return .success
    }
    guard let text = Self.topics[topic] else {
      throw CommandParser.unknown(topic)
    }
    StandardStreams.writeParagraph(SafeText(text))
    return .success
  }

  private static let overview = """
    today: a Notification Center for the terminal.

      today [--locked]              open the dashboard; ? lists the keys, q quits
      today snapshot [ID...]        print the cards once on standard output
      today refresh [ID...]         request new data from widgets
      today schedule on|off|status  keep content up to date while no dashboard is open
      today list                    list the installed widgets
      today add ID... [--as NAME]   add widgets, scripts, or another instance, to a page
      today run 'COMMAND'           make a command line a card
      today import waybar|i3blocks FILE
                                    make cards of another program's modules
      today remove ID...            remove widgets from the page
      today move ID N [--page P]    move a widget to position N, or to another page
      today rename PAGE NAME        give a page another name
      today reload ID...            request updates from a script or an app
      today has-content ID on|off   set whether a widget has anything to show
      today open URL                open a URL as a widget would
      today install FILE            install an app, a widget or a script for this user
      today uninstall ID            remove it with all that is stored for it
      today serve ID                run a widget for a page on another machine, through ssh
      today new NAME --language swift|python|sh|script
                                    make a widget, as an example to change
      today dev BUNDLE...           show widgets alone, and again whenever a file is saved
      today lint BUNDLE...          check the files of widgets, their views, and the protocol
      today test BUNDLE...          check that widgets conform to the protocol, and play their scenarios
      today trace FILE [ID]         print a trace readably, with times and broken rules
      today replay FILE             play a trace: its widgets on a page, or its page with a widget
      today log ID                  print the runs and the log of a widget
      today settings ID [KEY [VALUE]]
                                    list, print or set the settings of a widget
      today defaults read|write|delete SUITE [KEY [VALUE]]
                                    values that apps, widgets and scripts share
      today coordinate read|write FILE -- COMMAND
                                    run a command while no other program uses a shared file
      today notify NAME             post a notification to the widgets of an app group
      today permissions [ID]        list, give or withdraw what widgets may do
      today secrets ID [NAME]       list, print, store or delete a widget's secrets
      today transfers               list background transfers, or end one
      today purge [ID...]           empty the caches of widgets and apps
      today doctor                  check the installation, the terminal and the widgets
      today themes [NAME]           list the themes, or print the file of one
      today completion bash|zsh|fish
                                    print the completions for a shell
      today help COMMAND            print the usage of a command

    All commands:
      --widgets DIR                 look for bundles only in DIR; may be given several times, and
                                    be a bundle or a script
      --trace FILE                  write all messages to FILE, one JSON object per line

    ID is a bundle identifier, or a name that only one widget has: “today remove Clock”. With
    :NAME it is an instance that was added with --as: “today remove Clock:travel”.

    Exit status: 0 success, 1 failure, 64 usage error, 66 no such widget or file,
    69 a required service is missing, 75 try again later.
    """

  static let topics: [String: String] = [
    "help": """
    today help [COMMAND]
    today COMMAND --help

    Prints the usage of the program, or of one command. “today --version” prints the version.
    """,
    "snapshot": """
    today snapshot [ID...] [--format text|ansi|json|svg|html] [--width N] [--theme NAME]
                   [--page PAGE] [--bundle PATH] [--data DIR] [--plain] [--cached]
                   [--locked] [--all] [--max-age S] [--timeout S]

    Starts the widgets of the page, or those given, waits for their update, prints the cards on
    standard output, and ends the widgets.

      --format    text, ansi (text with colours), json, svg or html; text by default
      --width     width of the page in columns, 1 to 1000; 80 by default
      --theme     theme of ansi, svg and html; “today themes” lists them
      --page      print another page than the first one
      --bundle    print the widget at PATH alone: a .widget, an .app or a script, installed or not
      --data      keep the data of the widgets in DIR, in place of yours
      --plain     text without frames and columns, with the labels that widgets have for screen
                  readers in place of charts and symbols
      --cached    start no widget; print the stored content
      --locked    print what a locked page shows: names, and cards with allowWhenLocked
      --all       print the cards of all pages, and widgets that are on none
      --max-age   exit with 1 if content is older than S seconds, or missing
      --timeout   wait at most S seconds for the widgets; 10 by default

    Exits with 1 if a widget failed, timed out or has nothing to show; standard error names it.
    The page is printed in any case.
    """,
    "refresh": """
    today refresh [ID...] [--due] [--user] [--timeout S]

    Requests new data from the widgets of the page, or from those given, and stores it. Prints a
    line for each card: ID or ID:NAME, newData, noData or failed, and milliseconds. Errors are
    printed on standard error. ID means all its instances.

      --due       ask only widgets whose update is due, or was requested with “today reload”;
                  for cron and systemd. Skips updates that another host is running
      --user      mark the updates as requested by a person (default without --due)
      --timeout   wait at most S seconds; by default as long as a widget may take to start and
                  to update, 38 seconds
    """,
    "schedule": """
    today schedule on|off|status

    Keeps content up to date while no dashboard is open: a timer of “systemctl --user” runs
    “today refresh --due” every five minutes. Without systemd, “on” prints the line for crontab
    and exits with 69.
    """,
    "list": """
    today list [--json]

    Lists the installed widgets and their instances: ID or ID:NAME, position on the page or its
    status (new, available, removed, no content), and name. Errors in bundles are printed on standard error.
    """,
    "run": """
    today run 'COMMAND' [--every TIME] [--title TEXT] [OPTION...]

    Makes a command line a card: it is written to a script in ~/.local/share/today/scripts, which can be
    edited there, and its identifier is printed. /bin/sh runs it outside of the sandbox, with that folder as the
    current one, not the one in which you type this: give files by their whole paths, or begin with “cd FOLDER &&”.

      --every TIME        how often, such as 10s, 5m or 1h; once a minute without it
      --title TEXT        the heading; without it, the command
      --follow            it keeps printing: its last lines are shown as they come
      --lines N           how many rows are shown; -N for the last ones
      --timeout TIME      how long it may take, 1s to 25s
      --format FORMAT     how its output is read, such as json; see Docs/Scripts.md
      --span N            how many columns of the page the card takes up

    Exit status: 64 for a wrong option, 69 without a home folder.
    """,
    "import": """
    today import waybar|i3blocks FILE [--dry-run]

    Makes cards of the custom modules in a configuration of Waybar, or of the blocks in one of i3blocks:
    a script for each in ~/.local/share/today/scripts, whose identifiers are printed. Scripts that were
    imported before are replaced. Problems are reported on standard error.

      --dry-run   print the scripts, and write nothing

    Exit status: 1 if there is nothing that can be a card, 66 if FILE cannot be read.
    """,
    "add": """
    today add ID... [--page PAGE] [--span N]
    today add ID --as NAME [--page PAGE] [--span N]
    today add ./SCRIPT... [--page PAGE] [--span N]

    Adds widgets to the end of a page; an open dashboard follows. ID is an identifier, or a name
    that only one widget has; the identifier of an app means all of its widgets. A name with
    a “/” is that of a script: a link to it is made in ~/.config/today/scripts.

      --as        add another instance of a widget, with settings, content and data of its own;
                  commands and config.json name it ID:NAME. NAME is 1 to 64 of the characters
                  A-Z, a-z, 0-9, “.”, “_” and “-”
      --page      the page, which is made if there is none of that name; the first one by default
      --span      how many columns the card takes up, 1 to 100

    A card is on one page. A page that config.json declares is not changed: the command prints the
    text to put there, and exits with 1.
    """,
    "remove": """
    today remove ID...

    Removes widgets from the page and ends them. Their data is kept; “today add” adds them again.
    ID is the widget without the name of an instance, ID:NAME an instance.
    """,
    "move": """
    today move ID N [--page PAGE]
    today move ID --page PAGE

    Moves a widget to position N on its page or on another one, counted from 1; without N to the
    end. A page is made with its first card, and goes with its last one.
    """,
    "rename": """
    today rename PAGE NAME

    Gives a page another name; an open dashboard follows. Its cards and its place stay. “today move ID --page NAME”
    makes a page. One that config.json declares has its name there.

    Exit status: 66 if there is no such page.
    """,
    "reload": """
    today reload ID...
    today reload --all

    Requests an update of widgets, or of all of them. An open dashboard makes it; otherwise the next
    “today refresh --due” does. Prints the number of cards on the page that were asked. ID means
    all its instances.
    """,
    "has-content": """
    today has-content ID on|off

    Sets whether a widget has anything to show. “off” removes its card and stored content, and the
    widget is not started until it is “on” again. ID means all its instances.
    """,
    "open": """
    today open URL

    Opens a URL with the command that config.json sets for its scheme, the app that registered it,
    the default program of the desktop, or xdg-open. Exits with 1 if nothing could open it.
    """,
    "install": """
    today install BUNDLE|ARCHIVE|SCRIPT [--yes]

    Copies an .app or a .widget, or the one in an archive, to the widgets of this user, whole or not
    at all; one with the same identifier is replaced. Only plain files and folders are installed.
    A script is copied too, and runs in the sandbox; “today add SCRIPT” is for your own.
    Prints what it contains, and asks first; without a terminal --yes agrees.
    """,
    "uninstall": """
    today uninstall ID [--yes]

    Removes an installed app or widget, with the containers, settings, snapshots and logs of its
    widgets and their places on the pages. Asks first; without a terminal --yes agrees.
    """,
    "new": """
    today new NAME --language swift|python|sh|script [--identifier ID] [--package PATH|URL]

    Makes a widget in this folder that passes “today lint” and “today test” as it is: with settings, More and
    Less, and a scenario, as examples to change or delete. Prints what was made.

      --language     python and sh: the bundle NAME.widget with the file of functions for the language;
                     swift: the package NAME, whose script “build” puts the program into its bundle;
                     script: an executable file whose output is the card
      --identifier   the identifier of the bundle; com.example.NAME without it
      --package      the Swift package with WidgetKitCore, instead of the one that is installed with today: its folder,
                     or the URL of its repository, with #TAG or #BRANCH if it is not the branch main

    NAME is a letter, then at most 63 letters and digits. Nothing is overwritten.
    """,
    "dev": """
    today dev BUNDLE... [--width N] [--locale LOCALE] [--data DIR] [--wait-for-debugger]

    Shows widgets alone on a page, with the messages that are exchanged beside it. When a file of a bundle is saved,
    its process is replaced; its data is kept and shared with the card on the page, unless --data names a folder. A
    package with a script “build” beside the bundle is built first, also before it is shown the first time; errors are
    shown in the card with file and line, while the last program keeps running. What a widget writes to standard error
    is shown above the messages. Ctrl-D and a key send what happens on a page: Ctrl-D ? lists them. They show and hide
    the page, ask for an update, switch More and Less, warn of memory, deny activities, or let their time run out, post
    notifications, report a transfer, kill, change the width and the locale, and put the clock of the page forward, by
    a time or to the next thing that is due.

      --width               columns of the page, 16 to 1000; 60 by default
      --locale              the locale of the widgets, such as de_DE
      --data                a folder for the data, the logs and the permissions of the widgets, made if it is missing
      --wait-for-debugger   no deadlines; says how to attach to the widgets' own programs
    """,
    "lint": """
    today lint BUNDLE... [--fix] [--static] [--format text|json|sarif|github]

    Checks widgets against rules, and prints each finding with its file, place, rule and what to do:
    Info.plist and its settings, entitlements, the executable and its first line, scenarios and goldens. The
    widget is run with temporary folders, and its views and its answers are checked too: pictures without
    alt, figures without words for screen readers, control characters, sizes, and the checks of “today test”.
    BUNDLE is a .widget, an .app for all of its widgets, or a script.

      --fix       correct what needs no decision: modes of files, line endings, the first line of a script,
                  a missing or old todaykit
      --static    do not run the widgets
      --format    text, one finding to a line; json; sarif (2.1.0); github, annotations of a job

    Exits with 1 if there is an error or a warning, and with 0 if there are only notes.
    """,
    "test": """
    today test BUNDLE... [--record] [--repeat N] [--format F] [--fault NAME] [--watch]

    Runs widgets through their life on a page and checks the rules of the protocol: start, updates, the
    view at eight widths, presses, typing, a locked page, transitions, suspension, disappearance, the next
    appearance, a full disk, the end in every way, and the next start. It ends with the first request that
    is never answered. Then plays the scenarios in Tests/*.json of each bundle. It is the page of the
    dashboard with a clock of its own, so that nothing is waited for; the widget has temporary folders, and
    URLs are noted and not opened. BUNDLE is a .widget, an .app for all of its widgets, or a script.

      --record    write the goldens of the scenarios to Tests/Goldens; exits with 1, and “recorded”
      --repeat    run everything N times, to find what does not always pass
      --format    tap (Test Anything Protocol), junit (XML), json, or github (annotations); tap by default
      --fault     play the scenarios while something goes wrong: kill-during-update (after the first write
                  in it), slow-disk, full-disk, deny-activities, refuse-urls; may be given several times
      --watch     run again whenever a file of the bundles changes

    Exits with 1 if a check has failed, and with 66 if there is no widget.
    """,
    "defaults": """
    today defaults read SUITE [KEY]
    today defaults write SUITE KEY VALUE [--string]
    today defaults delete SUITE [KEY]

    Reads and changes values that apps, widgets and scripts share. SUITE is an app group, such as
    group.com.example.sheet, or the identifier of a widget or an app, for its own values.

    VALUE is JSON: 7, true, [1, 2], {"a": 1}. Any other VALUE is a text; with --string,
    every VALUE is. Without KEY all values are printed as JSON, or deleted. A value is on the disk when
    the command ends, and running widgets are notified.

    Exit status: 66 if there is no such suite or value, 75 if another program locks the values.
    """,
    "serve": """
    today serve ID

    Runs a widget for a page on another machine, which starts this command through ssh; ID may
    have a name behind a colon. Messages are read from standard input and written to standard
    output, everything else to standard error. The sandbox, the permissions and the limits are those
    of this machine; the widget ends with its input.

    Exit status: 1 if the widget has failed, 66 if there is none.
    """,
    "coordinate": """
    today coordinate read|write FILE [--timeout S] -- COMMAND [ARGUMENT...]

    Runs COMMAND while no other program writes FILE (read), or reads or writes it (write). FILE is in
    the folder of an app group; it need not exist. Widgets coordinate their access with
    coordinateBegin; programs that do neither are not kept out.

      --timeout   wait at most S seconds for others; 10 by default

    COMMAND takes the place of this command: its exit status is that of COMMAND, and the access ends
    when it and all that it has started have ended, in whichever way. Do not use the command for the
    same file again in COMMAND: it would wait for itself.

    Exit status, if COMMAND was not run: 64 usage error, 66 no such program, or a file outside of the
    groups of the installed apps, 75 others use the file.
    """,
    "purge": """
    today purge [ID...] [--json]

    Empties the caches of all widgets and apps, or of those given, and prints how much space each of
    them had taken. Nothing else is removed: no data, groups, settings, or stored views. The cache of
    a widget or app that runs is kept; one that was named is an error then.

      --json      print a list with bundleIdentifier, path, bytes and inUse of each

    ID is a widget or an app, which means all its widgets, with all their instances.

    Exit status: 66 if there is no such widget or app, 75 if one that was named runs.
    """,
    "notify": """
    today notify NAME
    today notify --remove NAME

    Posts a notification to the widgets of an app group. NAME begins with the group, for example
    group.com.example.sheet.changed. Widgets that observe it and run hear it at once, suspended
    ones when they continue. It is a hint: nothing is kept for a widget that does not run.

      --remove    forget the name, which is remembered with the number of its posts; widgets that
                  observe it hear the next post

    Of each group 256 names are remembered; then the one that was not posted for the longest time is
    forgotten. A name is also forgotten when a widget stops observing it.
    """,
    "settings": """
    today settings ID [--json]
    today settings ID KEY [--json]
    today settings ID KEY VALUE...
    today settings ID KEY --unset

    Lists the settings of a widget, each with its value and where it comes from: config.json with
    line and column, set in the program, or default. With KEY prints one, with VALUE sets it; an
    open dashboard follows. A setting that config.json has cannot be set here.

      VALUE       a list is several values, or one with commas; yes, no, on, off, true and false
                  for a boolean; { file: PATH }, { command: [PROGRAM, ...] } or
                  { environment: NAME } for a secret, which itself is never stored or printed
      --unset     remove the value that was set in the program

    ID is an identifier, a name that only one widget has, or either with :NAME for one instance.

      today settings Clock zones Asia/Tokyo Europe/Rome
      today settings 'Home Assistant' token '{ file: ~/.config/home-assistant-token }'
    """,
    "secrets": """
    today secrets ID [--group GROUP]
    today secrets ID NAME [--set | --delete] [--group GROUP]

    Lists the names of a widget's secrets, or prints the secret NAME. --set stores one that is read
    from standard input, without a line feed at its end; --delete deletes it. GROUP is an access group:
    the widget's own identifier, or one that it shares with its app.

    These are what a widget keeps by itself. A setting that is a secret is set on the page (key ,),
    or with “today settings”.

      pass show clowns | today secrets org.example.Clowns token --set
    """,
    "permissions": """
    today permissions [ID] [--json]
    today permissions ID --grant NAME|all|trust|identity
    today permissions ID --revoke NAME|all|trust|identity

    Lists what widgets request beyond their own files (their Entitlements.plist), whether it is
    granted, refused or open, and what it means. ID is a widget or an app: a permission is for all
    widgets of an app. A widget with an open request is not started by the dashboard; commands start
    it without. A bundle whose requests change asks again. Schemes of URLs that it was asked about
    are listed as openURL:SCHEME, commands that scripts ran as command:COMMAND, and widgets that run
    outside of the sandbox as app-sandbox.

      --grant     permit what it requests: an entitlement by name, openURL:SCHEME,
                  command:COMMAND, or all
      --revoke    refuse it, or withdraw the permission
      trust       run its widgets where there is no sandbox: they can then do what you can. They may also
                  open URLs without a press on their card
      identity    have the settings, secrets and permissions that are stored for its identifier, which another
                  bundle had; until it is permitted, the widget starts without them

    Widgets that come with the program have what they request until it is withdrawn.
    """,
    "transfers": """
    today transfers [--json]
    today transfers cancel TASK

    Lists the files that widgets download and upload in the background, with the widget and how far
    each is: transferring, waiting (no process takes care of it: the next dashboard continues it),
    complete or failed (its widget or app has not taken the report yet). A transfer goes on without
    a dashboard. The transfers that were reported are not listed any more.

      cancel      end a transfer; its widget or app is notified
    """,
    "doctor": """
    today doctor [--json]

    Checks config.json, themes, bundles and their settings, the terminal (if there is one), the
    folders of the program, the timer of “today schedule”, the sandbox and what widgets may do
    beyond it, and the last runs of the widgets. Prints a line for each: ok, warning or wrong; what
    was found and where; and what to do. On a terminal, characters and colours follow, to look at.

    Exits with 1 if something is wrong.
    """,
    "themes": """
    today themes [NAME]

    Lists the themes: name, dark or light, and whether it paints its background. With a name, prints
    the file of the theme: change it and save it as themes/NAME.json beside config.json. Exits with
    1 if a file cannot be used; standard error says where and why.
    """,
    "trace": """
    today trace FILE [ID]

    Prints what “--trace FILE” has recorded, a line for each message and event: seconds, widget, run, direction
    (→ to the widget, ← from it, · of the page), method, and how long the answer took. What breaks a rule of
    the protocol is marked by “!”: late and missing answers, answers to nothing, refusals, lines that are
    not messages. ID is a widget; without it, all are printed.
    """,
    "replay": """
    today replay FILE [ID...] [--format text|ansi|json|svg|html] [--width N] [--theme NAME]
    today replay FILE --bundle PATH

    Plays the widgets of a trace on a page of their own, with a clock that follows the times of the trace, and
    prints the cards as they are at its end. Nothing is started. Exits with 1, and says why, if the page does
    something other than what was recorded.

      --format    text, ansi, json, svg or html
      --width     width of the page in columns; that of the recorded screen, or 80, by default
      --theme     theme of ansi, svg and html
      --bundle    play the recorded page with the widget at PATH instead: it is sent what was recorded, with
                  temporary folders, and each place where it says something else is printed; exits with 1 then.
                  What depends on the time or on other data differs for that
    """,
    "completion": """
    today completion bash|zsh|fish

    Prints the completions for a shell: commands, options, their values, and the widgets of this machine. The
    package of Debian and “make install” install them; otherwise:

      bash   source <(today completion bash), in ~/.bashrc
      zsh    today completion zsh > a file called _today in a folder of $fpath
      fish   today completion fish > ~/.config/fish/completions/today.fish
    """,
    "log": """
    today log ID [--json]

    Prints the last runs of a widget (start, reason, milliseconds, CPU time, bytes, faults,
    results of updates, end) and its log: what it wrote to standard error, and what the host
    recorded. ID means all its instances.
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
