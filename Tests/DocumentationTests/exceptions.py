"""What is not run of the examples, each with its reason; and what stands in for what a test does not have."""

# Lines of commands.
LINES = {
    "make run": "opens the page; DashboardTests",
    "make test": "runs these tests",
    "pip install ./Widgets/Shared": "needs the network for its build",
    "env XDG_STATE_HOME": "opens the page; DashboardTests",
    "today dev Cups.widget": "opens the page; DevTests",
    "today dev Remark.appex": "does not end; DevRequestTests",
    "today --trace fault.trace": "opens the page; a trace of the same page is made below",
    "today test Coffee.widget --watch": "does not end; TestCommandTests",
    "today=.build/stage/bin/today": "the program of the test is used",
    "$today add com.example.Pomodoro": "the widget is in no folder of widgets",
    "$today snapshot com.example.Pomodoro": "the widget is in no folder of widgets",
    "today defaults write": "no app of this page has the group; Apps.md has a complete example",
    "today notify group.com": "no app of this page has the group; Apps.md has a complete example",
    "today coordinate write": "CoordinateTests",
    "today permissions Weather --revoke openURL:slack": "an answer of the user; PermissionsTests",
    "today permissions script.builds --revoke": "an answer of the user; PageCommandsTests",
    "today permissions script.builds --grant": "no such script is on this page; RowCommandTests",
    "today permissions net.other.Clock --grant": "no such app is installed; InstallTests",
    "today notices act b Log": "opens a browser; NoticeTests",
    "today post --on-exit 10s --show-progress -- cargo build": "needs a project in Rust; CommandEndTests",
    "today gallery install script.sites": "asks; GalleryTests",
    "today gallery update": "needs the network; GalleryTests",
    "today gallery sources add https": "needs the network; GalleryTests",
    "today gallery sources remove https": "was not added; GalleryTests",
    "today gallery publish": "needs a repository and the network; GalleryTests",
    "today add nas:org.today.System": "needs names in config.json; FleetPageTests",
    "today add fleet:org.today.System": "needs names in config.json; FleetPageTests",
    "today page me@nas": "opens the page; RemotePageTests",
    "today page nas": "opens the page; RemotePageTests",
    "ssh page@wall.example.org": "needs a server; PublicPageTests",
    "ssh -T page@wall.example.org": "needs a server; PublicPageTests",
    "today publish Home --to ~/public_html/status": "asks; PublishTests",
    "today publish Home --to me@nas": "needs another machine; RemotePublishTests",
    "today publish Home --to mqtts": "needs a broker; BrokerPublishTests",
    "mosquitto_pub -h broker.lan": "needs a broker; BrokerTests",
    "today subscribe mqtt": "needs a broker; BrokerTests",
    "today add mqtts": "needs a broker; BrokerTests",
    "today add 'mqtt": "needs a broker; BrokerTests",
    "pass show broker": "needs a broker; BrokerTests",
    "today permissions com.example.Sheet --grant": "no such app is installed; Apps.md has one",
}
# Words of commands that take long, and others in their place.
SHORTER = {"--repeat 100": "--repeat 2"}

# Blocks of Swift that are parts of something else, with the rest of it.
PARTS = {
    'Docs/Widgets.md: .package(url: "https://example.com/today.git", branch: "main")': """import PackageDescription
let dependencies: [Package.Dependency] = [{}]""",
    "Docs/Widgets.md: try await extensionContext.coordinate(.write, path) { try store(cups, in: path) }": """import WidgetKitCore
@MainActor func work(_ extensionContext: WidgetContext, _ path: String, _ cups: Int) async throws {{ {} }}
func store(_ cups: Int, in path: String) throws {{}}""",
    'Docs/Widgets.md: try await context.secrets.add(token, named: "token", in: context.bundleIdentifier)': """import WidgetKitCore
@MainActor func work(_ context: WidgetContext, _ token: String) async throws {{ {}; _ = stored }}""",
    "Docs/Testing.md: let harness = try WidgetHarness(Counter())": """import Testing
import WidgetKitCore
import WidgetTesting
final class Counter: Widget {{ var body: some View {{ Text("0 cups") }} }}
@MainActor func test() async throws {{ {} }}""",
    "Docs/Testing.md: let harness = try RequestHarness(Remark())": """import Testing
import WidgetKitCore
import WidgetTesting
final class Remark: ShareExtension {{}}
@MainActor func test() async throws {{ {} }}""",
}
# Fragments of Swift in comments and articles of the library, with what they use: FRAGMENT stands for them. Without an
# entry, a function is a member of a widget, and anything else is in such a function.
AROUND = {
    "Sources/WidgetKitCore/Nodes/Types/GridNode.swift: Grid(": """
let disks = [(name: "sda", free: "1 GB")]
FRAGMENT""",
    "Sources/WidgetKitCore/Nodes/Types/ListNode.swift: List(": """
let items = [(id: "1", title: "Milk")]
FRAGMENT""",
    "Sources/WidgetKitCore/Nodes/View.swift: struct PostRow": """
struct Post { var title: String }
FRAGMENT""",
    "Sources/WidgetKitCore/Runtime/BackgroundSession.swift: var configuration": """
final class News: BackgroundSessionDelegate {}
let news = News()
FRAGMENT""",
    "Sources/WidgetKitCore/Runtime/TransitionCoordinator.swift: coordinator.animate": """
@MainActor final class Form {
  var showsAll = false, buttonTitle = "More"
  func settle(_ coordinator: TransitionCoordinator) {
    FRAGMENT
  }
}""",
    "Sources/WidgetKitCore/Runtime/UpdateOutcome.swift: return": """
func outcome() -> UpdateOutcome {
  FRAGMENT
}""",
    "Sources/WidgetKitCore/Runtime/WidgetContext+Coordination.swift: let path": """
func append(_ line: String, to path: String) throws {}
FRAGMENT""",
    "Sources/WidgetKitCore/WidgetKitCore.docc/WritingAWidget.md: func widgetPerformUpdate": """
private var forecast = ""
private func fetch() async throws -> String { "rain" }
FRAGMENT""",
    "Sources/WidgetKitCore/WidgetKitCore.docc/WritingAWidget.md: func viewDidAppear": """
private func sample() {}
FRAGMENT""",
    "Sources/WidgetKitCore/WidgetKitCore.docc/WritingAWidget.md: func viewWillTransition": """
private var showsAll = false, isExpanded = false
private func settle() {}
FRAGMENT""",
    "Sources/WidgetTesting/Harness/WidgetHarness.swift: let harness": """
final class ClownTown: Widget { var body: some View { Text("2 clowns") } }
FRAGMENT""",
    "Sources/WidgetTesting/RequestHarness/RequestHarness.swift: let harness": """
struct Capitals: ActionExtension {}
FRAGMENT""",
}
UNCHECKED = {
    'Docs/Widgets.md: .widget("Pomodoro"),': "a line of this package's Package.swift",
}

# Scripts that need a program or a machine that a test does not have; their first lines are checked by “today lint”.
SCRIPTS = {
    "Temperature": "not every machine has this sensor",
    "Journal": "needs journalctl; goes on",
    "Disk /": "needs the plugins of Nagios",
    "host=me@server": "needs another machine; RemoteTests",
    "format=i3bar split=true": "i3status goes on; the suite “A status command that is split”",
}
PROGRAMS = {
    "i3status": """#!/bin/sh
printf '{"version":1}\\n[\\n[{"full_text":"load 1"}],\\n'
""",
    "curl": """#!/bin/sh
case $* in
*/metrics) printf 'node_load1 0.5\\nnode_network_receive_bytes_total{device="eth0"} 100\\n' ;;
*.json) echo '{"items":[{"open":true,"title":"Slow","votes":3},{"open":false,"title":"Done","votes":1}]}' ;;
*) echo "unexpected: curl $*" >&2; exit 64 ;;
esac
""",
}

# What a page takes from other pages: files.
FILES = {
    # The page shows the source in the next section.
    "Docs/Widgets.md": [("Docs/Widgets.md", "Sources/Departures/Departures.swift")],
    "Docs/Testing.md": [("Docs/Widgets.md", "Coffee.widget/coffee.py"), ("Docs/Widgets.md", "Coffee.widget/Info.plist")],
}
# What a reader has done before a block of commands, by its name.
BEFORE = {
    "Docs/Notices.md: today post --on-exit 10s -- make -j8": "printf 'all:\\n' >Makefile",
    "Docs/Notices.md: today notices dismiss a 2": "today notices >/dev/null",
    "Docs/Testing.md: today test Coffee.widget": "chmod +x Coffee.widget/coffee.py",
    "Docs/Testing.md: today --trace fault.trace": "today snapshot --bundle Coffee.widget --trace fault.trace >/dev/null",
    "Docs/Security.md: today secrets Weather                               # their names": "token=s3cret",
    "Docs/Widgets.md: today=.build/stage/bin/today": """today=today
bundle=.build/stage/lib/today/widgets/Pomodoro.widget
mkdir -p $bundle Sources/Pomodoro
cp Widgets/Pomodoro/Pomodoro.swift Sources/Pomodoro/
swift build
cp .build/release/pomodoro Widgets/Pomodoro/Info.plist $bundle
rm -r Sources/Pomodoro
# The widgets with the files for Python and sh, whose page shows the program alone.
for name in Kernel Release; do
    program=$(ls $name.widget)
    chmod +x $name.widget/$program
    sed "s/Room/$name/g; s/room.sh/$program/" Room.widget/Info.plist >$name.widget/Info.plist
    today lint --fix --static $name.widget || :
    today test $name.widget
done""",
    "Docs/Widgets.md: swift build -c release --static-swift-stdlib": """
sed 's/Pomodoro/Departures/g; s/>pomodoro</>departures</' Widgets/Pomodoro/Info.plist >Info.plist""",
    "Docs/Widgets.md: today list                       # com.example.Coffee  new  Coffee": """
mkdir -p ~/.local/share/today/widgets
cp -R Coffee.widget ~/.local/share/today/widgets/""",
}
