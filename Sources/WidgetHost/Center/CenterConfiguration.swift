public import WidgetKitCore

/// What a center is made with.
public struct CenterConfiguration {
  /// The user's environment.
  public var environment: [String: String]
  /// Where the program itself lies; bundled widgets are looked for beside it.
  public var executablePath: String
  /// Folders given with `--widgets`; where there are any, nothing else is looked at.
  public var widgetFolders: [String] = []
  /// Whether widgets are shown that are not on the page.
  public var showsAllWidgets = false
  /// Identifiers of widgets that are shown whether they are on the page or not.
  public var namedWidgets: Set<String> = []
  /// A file for every message.
  public var tracePath: String?
  /// What the screen can show.
  public var appearance = Appearance(colors: 256, dark: true)
  /// The characters that lines and bars are drawn with.
  public var glyphs = GlyphSet.unicode
  /// Whether changes of height are animated; false headless and where motion is reduced.
  public var animates = true
  /// Whether cards without a picture wait for each other for a moment at the start, so that the page
  /// appears once.
  public var gathersFirstContent = false
  /// Whether updates are made as they become due; false where the program ends by itself.
  public var schedulesUpdates = true
  /// What a widget's process was started for, where it is not the page.
  public var launchReason: LaunchReason?
  /// Limits on what widgets send and take.
  public var limits = HostLimits()
  /// Deadlines.
  public var policy = SessionPolicy()
  /// When updates are due.
  public var schedule = RefreshSchedule()
  /// Where time comes from; nil is the system's.
  public var clock: (any HostClock)?
  /// What measures process groups; nil asks the system.
  var resourceMeasure: ResourceWatch.Measure?
  /// What measures containers; nil asks the disk.
  var storageMeasure: ResourceWatch.StorageMeasure?
  /// Sentences about what the user has set and cannot be used.
  public var problems: [SafeText] = []
  /// What starts programs; nil starts real processes.
  var launcher: WidgetLauncher?

  /// Creates a configuration for a program started in `environment`.
  public init(environment: [String: String], executablePath: String) {
    self.environment = environment
    self.executablePath = executablePath
  }
}
