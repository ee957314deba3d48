package import Brokers
package import FoundationEssentials
public import Notices
public import PageRecords
import WidgetCards
public import WidgetExtensions
public import WidgetKitCore
public import WidgetPlatform
public import WidgetSessions

/// The configuration of a center.
public struct CenterConfiguration {
  /// The user's environment.
  public var environment: [String: String]
  /// The path of the program; bundled widgets are searched for next to it.
  public var executablePath: String
  /// Folders given with `--widgets`.
  ///
  /// If there are any, no other folders are searched.
  public var widgetFolders: [String] = []
  /// Whether they may be without their programs, because these are being built; see ``interpose``.
  package var acceptsMissingPrograms = false
  /// Whether blocks of status commands are cards of their own where a script says so.
  package var separatesBlocks = true
  /// Whether widgets that are not on the page are also shown.
  public var showsAllWidgets = false
  /// Whether the cards of all pages are shown together.
  public var showsEveryPage = false
  /// Identifiers of widgets that are shown even if they are not on the page.
  public var namedWidgets: Set<String> = []
  /// The file to which every message is written.
  public var tracePath: String?
  /// The columns and rows of the screen, for the trace; nil without one.
  public var screenSize: Size?
  /// The capabilities of the screen.
  public var appearance = Appearance(colors: 256, dark: true)
  /// The characters that lines and bars are drawn with.
  public var glyphs = GlyphSet.unicode
  /// The zone of the dates that the page counts; by default that of the process.
  package var dates = DateWording.current
  /// Whether the page is locked at first; see ``WidgetCenter/setLocked(_:)``.
  public var isLocked = false
  /// Whether changes of height are animated; false without a screen and if motion is reduced.
  public var animates = true
  /// Whether cards without a snapshot wait briefly for each other at the start, so that the page
  /// appears all at once.
  public var gathersFirstContent = false
  /// Whether updates are made when they are due; false if the program ends by itself.
  public var schedulesUpdates = true
  /// Whether somebody is there who can be asked.
  package var isAttended = true
  /// The cards that are updated when they are due; nil for all.
  package var followedCards: Set<ExtensionIdentity>?
  /// The reason why a widget's process is started, if it is not the page.
  public var launchReason: LaunchReason?
  /// What this program does for the page.
  package var role = PageRole.owner
  /// Limits on the messages of widgets and on their resources.
  public var limits = HostLimits()
  /// The deadlines of sessions.
  public var policy = SessionPolicy()
  /// When updates are due.
  public var schedule = RefreshPolicy()
  /// The number of columns of cards for which the user set it, by widget or by instance.
  public var spans: [String: Int] = [:]
  /// The machines on which widgets run, by widget or instance; the others run on this one.
  package var hosts: [String: RemoteDestination] = [:]
  /// The names of machines.
  package var hostNames = HostNames()
  /// What the user says about MQTT brokers.
  package var brokers = BrokerSettings()
  /// The machine whose page is shown, on which all widgets run; nil for this one.
  package var machine: RemoteDestination?
  /// The pages that the user has declared in config.json.
  public var pages: [DeclaredPage] = []
  /// Whether cards are shown as they are while the page is locked, by widget or by instance.
  public var allowedWhenLocked: [String: Bool] = [:]
  /// The folder in which Linux says whether the machine is on a battery.
  package var powerSupplies = PowerSupply().folder
  /// Whether widgets run in a sandbox.
  public var sandbox = SandboxMode.automatic
  /// Where the secrets of widgets are kept.
  public var secrets = SecretPlace.automatic
  /// The user's commands for URLs, by scheme in lower case.
  public var openers: [String: URLOpener] = [:]
  /// The settings of widgets in config.json.
  public var widgetSettings = FileSettings()
  /// What the user has set about notices.
  public var notices = NoticeSettings()
  /// Called with a notice that a widget has posted where no page can tell of it; nil in a page.
  package var tellsWithoutPage: ((Notice) -> Void)?
  /// The clock, or nil for the system's.
  public var clock: (any HostClock)?
  /// The function that measures process groups, or nil to ask the system.
  var resourceMeasure: ResourceWatch.Measure?
  /// The function that measures containers, or nil to read the disk.
  var storageMeasure: ResourceWatch.StorageMeasure?
  /// What the user has set about scripts; nil if nothing was read.
  public var scripts: ScriptSettings?
  /// Messages about settings of the user that cannot be used.
  public var problems: [SafeText] = []
  /// The launcher of programs, or nil to start real processes.
  var launcher: WidgetLauncher?
  /// Wraps the launcher, so that a test sees what is exchanged with a widget, or something else takes its place.
  package var interpose: (@escaping WidgetLauncher) -> WidgetLauncher = { $0 }
  /// What takes the place of other programs in a test, whose time the widgets are told; nil without a test.
  package var standIns: StandIns?
  /// The time that the widgets are told, if it is not that of the system; by default that of a test.
  package var hostDate: (() -> Date?)?

  /// Draws pictures, or nil to start a decoder.
  var imageDrawer: (any ImageDrawer)?

  /// Creates a configuration for a program started in `environment`.
  public init(environment: [String: String], executablePath: String) {
    self.environment = environment
    self.executablePath = executablePath
  }
}

extension PageRoster {
  /// Creates the roster of the page that a configuration describes.
  init(_ configuration: CenterConfiguration, _ folders: StateFolders) {
    self.init(
      configuration.searchPaths,
      usualPaths: SearchPaths(
        environment: configuration.environment,
        executable: configuration.executablePath
      ),
      limits: configuration.limits.bundles,
      folders: folders,
      declared: configuration.pages
    )
  }
}

extension CenterConfiguration {
  /// Leaves out what config.json says of cards and scripts, which are others on the page of another machine.
  nonisolated mutating func forgetCards() {
    (spans, hosts, allowedWhenLocked, pages) = ([:], [:], [:], [])
    (scripts, widgetSettings) = (nil, FileSettings())
  }

  /// Whether somebody is there who can say what widgets may do.
  func asksForPermissions(isLocked: Bool) -> Bool {
    schedulesUpdates && isAttended && !isLocked && role == .owner
  }

  /// The folders in which bundles are searched for.
  var searchPaths: SearchPaths {
    var paths = SearchPaths(
      named: widgetFolders,
      environment: environment,
      executable: executablePath
    )
    paths.acceptMissingPrograms = acceptsMissingPrograms
    paths.separatesBlocks = separatesBlocks
    if let scripts { paths.add(scripts, environment: environment) }
    return paths
  }
}
