// swift-tools-version: 6.3
import PackageDescription

/// The settings of every Swift target of this package.
let swiftDefaults: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("ImmutableWeakCaptures"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]

/// The settings of cards, pages and what shows them, which run on the main actor.
let onMainActor: [SwiftSetting] = swiftDefaults + [.defaultIsolation(MainActor.self)]

/// Targets that call C mark unsafe expressions with `unsafe`.
let callingC: [SwiftSetting] = [.strictMemorySafety()]

/// The settings of every C target of this package.
let cDefaults: [CSetting] = [
  .define("_GNU_SOURCE"),
  .enableWarning("all"),
  .enableWarning("extra"),
  .treatAllWarnings(as: .error),
]

extension Target {
  /// A bundled widget, which sees only the public interface of WidgetKitCore.
  ///
  /// `libraries` are the targets of the package that have its parsers.
  static func widget(_ name: String, exclude: [String] = [], libraries: [String] = []) -> Target {
    .executableTarget(
      name: name,
      dependencies: ["WidgetKitCore"] + libraries.map { .target(name: $0) },
      path: "Widgets/\(name)",
      exclude: ["Info.plist"] + exclude,
      packageAccess: false,
      swiftSettings: swiftDefaults + (libraries.isEmpty ? [] : callingC)
    )
  }
}

let package = Package(
  name: "today",
  products: [
    .executable(name: "today", targets: ["WidgetTUI"]),
    .library(name: "WidgetKitCore", targets: ["WidgetKitCore"]),
    .library(name: "WidgetTesting", targets: ["WidgetTesting"]),
  ],
  targets: [
    .systemLibrary(name: "CNcurses", providers: [.apt(["libncurses-dev"])]),
    .systemLibrary(name: "CIcal", providers: [.apt(["libical-dev"])]),
    .systemLibrary(name: "CExpat", providers: [.apt(["libexpat1-dev"])]),
    .target(name: "CPlatform", cSettings: cDefaults),
    .target(name: "CMagic", cSettings: cDefaults),
    .target(name: "CAgent", cSettings: cDefaults),
    .executableTarget(
      name: "ImageDecoder",
      cSettings: cDefaults,
      linkerSettings: [.linkedLibrary("seccomp")]
    ),
    .executableTarget(
      name: "SandboxLauncher",
      cSettings: cDefaults,
      linkerSettings: [.linkedLibrary("seccomp")]
    ),
    .executableTarget(name: "BrokerAgent", dependencies: ["CAgent"], cSettings: cDefaults),
    .executableTarget(name: "NoticeAgent", dependencies: ["CAgent"], cSettings: cDefaults),
    .executableTarget(name: "SecretAgent", dependencies: ["CAgent"], cSettings: cDefaults),
    .executableTarget(name: "TransferAgent", dependencies: ["CAgent"], cSettings: cDefaults),
    .target(name: "WidgetKitCore", swiftSettings: swiftDefaults),
    .target(name: "TerminalInput", swiftSettings: swiftDefaults),
    .target(
      name: "CalendarFormats",
      dependencies: ["CIcal", "WidgetKitCore"],
      packageAccess: false,
      swiftSettings: swiftDefaults + callingC
    ),
    .target(
      name: "ShippedThemes",
      resources: [.embedInCode("Files")],
      swiftSettings: swiftDefaults
    ),
    .target(
      name: "ExtensionContent",
      dependencies: ["WidgetKitCore", "CMagic"],
      resources: [.embedInCode("Types/UniformTypes.tsv")],
      swiftSettings: swiftDefaults + callingC
    ),
    .target(
      name: "WidgetPlatform",
      dependencies: ["WidgetKitCore", "CPlatform"],
      swiftSettings: swiftDefaults + callingC
    ),
    .target(
      name: "Notices",
      dependencies: ["WidgetPlatform", "WidgetKitCore"],
      swiftSettings: swiftDefaults + callingC
    ),
    .target(
      name: "WidgetExtensions",
      dependencies: [
        "WidgetPlatform", "WidgetKitCore", "ShippedThemes", "ExtensionContent", "CPlatform",
      ],
      swiftSettings: swiftDefaults + callingC
    ),
    .target(
      name: "Brokers",
      dependencies: ["WidgetPlatform", "WidgetExtensions", "WidgetKitCore"],
      swiftSettings: swiftDefaults + callingC
    ),
    .target(name: "JSONQueries", dependencies: ["WidgetKitCore"], swiftSettings: swiftDefaults),
    .target(
      name: "WidgetScripts",
      dependencies: [
        "WidgetPlatform", "WidgetExtensions", "WidgetKitCore", "Brokers", "JSONQueries",
      ],
      swiftSettings: swiftDefaults + callingC
    ),
    .target(
      name: "WidgetSessions",
      dependencies: ["WidgetPlatform", "WidgetExtensions", "WidgetKitCore", "CPlatform"],
      swiftSettings: swiftDefaults + callingC
    ),
    .target(
      name: "WidgetCards",
      dependencies: [
        "WidgetPlatform", "WidgetExtensions", "WidgetSessions", "WidgetKitCore", "CPlatform",
      ],
      swiftSettings: onMainActor + callingC
    ),
    .target(
      name: "PageRecords",
      dependencies: [
        "WidgetPlatform", "WidgetExtensions", "WidgetSessions", "WidgetCards", "WidgetKitCore",
      ],
      swiftSettings: onMainActor + callingC
    ),
    .target(
      name: "WidgetPages",
      dependencies: [
        "WidgetPlatform", "WidgetExtensions", "Brokers", "WidgetScripts", "WidgetSessions",
        "WidgetCards", "PageRecords", "WidgetKitCore", "ExtensionContent", "Notices", "CPlatform",
      ],
      swiftSettings: onMainActor + callingC
    ),
    .target(
      name: "WidgetRequests",
      dependencies: [
        "WidgetPlatform", "WidgetExtensions", "WidgetScripts", "WidgetSessions", "WidgetPages",
        "WidgetKitCore", "ExtensionContent", "CPlatform",
      ],
      swiftSettings: onMainActor + callingC
    ),
    .target(
      name: "Registries",
      dependencies: ["WidgetPages", "WidgetExtensions", "WidgetPlatform", "WidgetKitCore"],
      swiftSettings: onMainActor + callingC
    ),
    .target(
      name: "WidgetTesting",
      dependencies: [
        "WidgetPlatform", "WidgetExtensions", "WidgetScripts", "WidgetSessions", "WidgetCards",
        "WidgetPages", "WidgetRequests", "ExtensionContent", "WidgetKitCore",
      ],
      swiftSettings: onMainActor + callingC
    ),
    .executableTarget(
      name: "WidgetTUI",
      dependencies: [
        "WidgetKitCore", "ExtensionContent", "WidgetPlatform", "WidgetExtensions", "Brokers",
        "WidgetScripts", "WidgetSessions", "WidgetCards", "PageRecords", "WidgetPages",
        "WidgetRequests", "WidgetTesting", "Registries", "Notices", "TerminalInput", "CNcurses",
        "CPlatform",
      ],
      swiftSettings: onMainActor + callingC
    ),
    .systemLibrary(name: "CVterm", path: "Tests/CVterm", providers: [.apt(["libvterm-dev"])]),
    .target(
      name: "CTestPlatform",
      dependencies: ["CVterm"],
      path: "Tests/CTestPlatform",
      cSettings: cDefaults,
      linkerSettings: [.linkedLibrary("vterm")]
    ),
    .target(
      name: "WidgetTestSupport",
      dependencies: ["CTestPlatform"],
      path: "Tests/WidgetTestSupport",
      swiftSettings: swiftDefaults + callingC
    ),
    .target(
      name: "EngineTestSupport",
      dependencies: [
        "WidgetPlatform", "WidgetExtensions", "Brokers", "WidgetScripts", "WidgetSessions",
        "WidgetKitCore", "WidgetTestSupport",
      ],
      path: "Tests/EngineTestSupport",
      swiftSettings: onMainActor
    ),
    .executableTarget(
      name: "SnapshotTorture",
      dependencies: [
        "WidgetPlatform", "WidgetExtensions", "WidgetCards", "WidgetKitCore", "Notices",
        "WidgetTestSupport", "CTestPlatform",
      ],
      path: "Tests/SnapshotTorture",
      swiftSettings: onMainActor + callingC
    ),
    .executableTarget(
      name: "Fuzzer",
      dependencies: [
        "WidgetPlatform", "WidgetExtensions", "WidgetScripts", "WidgetCards", "PageRecords",
        "WidgetPages", "WidgetKitCore", "WidgetTesting", "WidgetTestSupport", "CTestPlatform",
        "TerminalInput", "CalendarFormats", "Registries", "JSONQueries",
      ],
      path: "Tests/Fuzzer",
      exclude: ["Corpus", "Scripts"],
      swiftSettings: onMainActor + callingC
    ),
    // The views of the benchmarks. `Canvas` has links to the files of the program, which no target can import.
    .executableTarget(
      name: "CostliestViews",
      dependencies: ["WidgetCards", "WidgetKitCore"],
      path: "Benchmarks/Views",
      swiftSettings: onMainActor + callingC
    ),
    .testTarget(
      name: "WidgetTestSupportTests",
      dependencies: ["WidgetTestSupport"],
      swiftSettings: swiftDefaults
    ),
    .testTarget(
      name: "EndToEndTests",
      dependencies: ["WidgetTestSupport", "LoadingFixture"],
      swiftSettings: swiftDefaults
    ),
    .executableTarget(
      name: "SavingFixture",
      dependencies: ["WidgetKitCore"],
      path: "Tests/SwiftFixtures/Saving",
      swiftSettings: swiftDefaults
    ),
    .executableTarget(
      name: "LoadingFixture",
      dependencies: ["WidgetKitCore"],
      path: "Tests/SwiftFixtures/Loading",
      swiftSettings: swiftDefaults
    ),
    .widget("Calendar", exclude: ["Entitlements.plist"], libraries: ["CalendarFormats", "CExpat"]),
    .widget("Clock"),
    .widget("ClownTown", exclude: ["App", "Entitlements.plist", "posts.json"]),
    .widget("NoticeCard", exclude: ["Entitlements.plist"]),
    .widget("System", exclude: ["Entitlements.plist"]),
    .testTarget(
      name: "WidgetKitCoreTests",
      dependencies: ["WidgetKitCore", "WidgetTestSupport"],
      exclude: ["Layout/Goldens"],
      swiftSettings: swiftDefaults
    ),
    .testTarget(
      name: "TerminalInputTests",
      dependencies: ["TerminalInput", "WidgetTestSupport"],
      swiftSettings: swiftDefaults
    ),
    .testTarget(
      name: "ExtensionContentTests",
      dependencies: ["ExtensionContent", "WidgetKitCore"],
      swiftSettings: swiftDefaults
    ),
    .testTarget(
      name: "WidgetPlatformTests",
      dependencies: [
        "WidgetPlatform", "CPlatform", "WidgetKitCore", "WidgetTesting", "WidgetTestSupport",
      ],
      swiftSettings: onMainActor
    ),
    .testTarget(
      name: "NoticesTests",
      dependencies: [
        "Notices", "WidgetPlatform", "WidgetKitCore", "EngineTestSupport", "WidgetTestSupport",
        "SnapshotTorture",
      ],
      swiftSettings: swiftDefaults
    ),
    .testTarget(
      name: "WidgetExtensionsTests",
      dependencies: [
        "WidgetPlatform", "WidgetExtensions", "EngineTestSupport", "WidgetKitCore", "WidgetTesting",
        "WidgetTestSupport", "SnapshotTorture",
      ],
      swiftSettings: onMainActor
    ),
    .testTarget(
      name: "BrokersTests",
      dependencies: [
        "Brokers", "WidgetPlatform", "WidgetExtensions", "EngineTestSupport", "WidgetKitCore",
        "WidgetTesting", "WidgetTestSupport",
      ],
      swiftSettings: onMainActor
    ),
    .testTarget(
      name: "JSONQueriesTests",
      dependencies: ["JSONQueries", "WidgetKitCore", "WidgetTestSupport"],
      swiftSettings: swiftDefaults
    ),
    .testTarget(
      name: "WidgetScriptsTests",
      dependencies: [
        "WidgetPlatform", "WidgetExtensions", "Brokers", "WidgetScripts", "EngineTestSupport",
        "WidgetKitCore", "WidgetTesting", "WidgetTestSupport",
      ],
      swiftSettings: onMainActor
    ),
    .testTarget(
      name: "WidgetSessionsTests",
      dependencies: [
        "WidgetPlatform", "WidgetExtensions", "WidgetSessions", "EngineTestSupport",
        "WidgetKitCore", "WidgetTesting", "WidgetTestSupport",
      ],
      swiftSettings: onMainActor
    ),
    .testTarget(
      name: "WidgetCardsTests",
      dependencies: [
        "WidgetPlatform", "WidgetExtensions", "WidgetSessions", "WidgetCards", "EngineTestSupport",
        "WidgetKitCore", "WidgetTesting", "WidgetTestSupport", "SnapshotTorture",
      ],
      swiftSettings: onMainActor
    ),
    .testTarget(
      name: "PageRecordsTests",
      dependencies: [
        "PageRecords", "WidgetPlatform", "WidgetExtensions", "WidgetCards", "EngineTestSupport",
        "WidgetKitCore", "WidgetTestSupport",
      ],
      swiftSettings: onMainActor
    ),
    .testTarget(
      name: "WidgetPagesTests",
      dependencies: [
        "WidgetPlatform", "WidgetExtensions", "Brokers", "WidgetScripts", "WidgetSessions",
        "WidgetCards", "PageRecords", "WidgetPages", "EngineTestSupport", "WidgetKitCore",
        "ShippedThemes", "ExtensionContent", "Notices", "CPlatform", "WidgetTesting",
        "WidgetTestSupport", "SavingFixture", "Fuzzer",
      ],
      swiftSettings: onMainActor
    ),
    .testTarget(
      name: "RegistriesTests",
      dependencies: [
        "Registries", "WidgetPages", "WidgetExtensions", "WidgetPlatform", "WidgetKitCore",
        "EngineTestSupport", "WidgetTestSupport",
      ],
      swiftSettings: onMainActor
    ),
    .testTarget(
      name: "WidgetRequestsTests",
      dependencies: [
        "WidgetPlatform", "WidgetExtensions", "WidgetPages", "WidgetSessions", "WidgetRequests",
        "EngineTestSupport", "WidgetKitCore", "ExtensionContent", "WidgetTestSupport",
        "WidgetTesting",
      ],
      swiftSettings: onMainActor
    ),
    .testTarget(
      name: "WidgetTestingTests",
      dependencies: [
        "WidgetTesting", "WidgetPlatform", "WidgetExtensions", "WidgetPages", "WidgetKitCore",
        "ExtensionContent", "WidgetTestSupport",
      ],
      swiftSettings: onMainActor
    ),
    .testTarget(
      name: "WidgetTUITests",
      dependencies: [
        "WidgetTUI", "WidgetTesting", "WidgetPlatform", "WidgetExtensions", "WidgetSessions",
        "WidgetCards", "WidgetPages", "WidgetRequests", "Brokers", "WidgetScripts",
        "EngineTestSupport", "WidgetKitCore", "WidgetTestSupport", "Notices", "TerminalInput",
        "CostliestViews",
      ],
      exclude: ["Goldens"],
      swiftSettings: onMainActor
    ),
    .testTarget(
      name: "CalendarTests",
      dependencies: ["Calendar", "CalendarFormats", "WidgetTestSupport", "WidgetTesting"],
      swiftSettings: swiftDefaults
    ),
    .testTarget(
      name: "ClownTownTests",
      dependencies: ["ClownTown", "WidgetKitCore"],
      swiftSettings: swiftDefaults
    ),
    .testTarget(
      name: "ClockTests",
      dependencies: ["Clock", "WidgetCards", "WidgetKitCore", "WidgetTesting"],
      swiftSettings: swiftDefaults
    ),
    .testTarget(
      name: "NoticeCardTests",
      dependencies: ["NoticeCard", "WidgetKitCore", "WidgetTesting"],
      swiftSettings: swiftDefaults
    ),
    .testTarget(
      name: "SystemTests",
      dependencies: ["System", "WidgetKitCore", "WidgetTesting"],
      swiftSettings: swiftDefaults
    ),
  ],
  cLanguageStandard: .c17
)
