// swift-tools-version: 6.3
import PackageDescription

/// What every Swift target of this package is compiled with.
let house: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("ImmutableWeakCaptures"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]

/// The engine and the interface live on the main actor.
let onMainActor: [SwiftSetting] = house + [.defaultIsolation(MainActor.self)]

/// Targets that call C say where they leave the safe language.
let touchingC: [SwiftSetting] = [.strictMemorySafety()]

let houseC: [CSetting] = [
  .define("_GNU_SOURCE"),
  .enableWarning("all"),
  .enableWarning("extra"),
  .treatAllWarnings(as: .error),
]

extension Target {
  /// A bundled widget: it gets the public interface of WidgetKitCore and nothing else.
  static func widget(_ name: String, exclude: [String] = []) -> Target {
    .executableTarget(
      name: name,
      dependencies: ["WidgetKitCore"],
      path: "Widgets/\(name)",
      exclude: ["Info.plist"] + exclude,
      packageAccess: false,
      swiftSettings: house
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
    .target(name: "CPlatform", cSettings: houseC),
    .target(name: "WidgetKitCore", swiftSettings: house),
    .target(
      name: "WidgetHost",
      dependencies: ["WidgetKitCore", "CPlatform"],
      swiftSettings: onMainActor + touchingC
    ),
    .target(
      name: "WidgetTesting",
      dependencies: ["WidgetHost", "WidgetKitCore"],
      swiftSettings: onMainActor
    ),
    .executableTarget(
      name: "WidgetTUI",
      dependencies: ["WidgetKitCore", "WidgetHost", "WidgetTesting", "CNcurses", "CPlatform"],
      swiftSettings: onMainActor + touchingC
    ),
    .systemLibrary(name: "CVterm", path: "Tests/CVterm", providers: [.apt(["libvterm-dev"])]),
    .target(
      name: "CTestPlatform",
      dependencies: ["CVterm"],
      path: "Tests/CTestPlatform",
      cSettings: houseC,
      linkerSettings: [.linkedLibrary("vterm")]
    ),
    .target(
      name: "WidgetTestSupport",
      dependencies: ["CTestPlatform"],
      path: "Tests/WidgetTestSupport",
      swiftSettings: house + touchingC
    ),
    .executableTarget(
      name: "SnapshotTorture",
      dependencies: ["WidgetHost", "WidgetKitCore", "WidgetTestSupport", "CTestPlatform"],
      path: "Tests/SnapshotTorture",
      swiftSettings: onMainActor + touchingC
    ),
    .executableTarget(
      name: "Fuzzer",
      dependencies: [
        "WidgetHost", "WidgetKitCore", "WidgetTesting", "WidgetTestSupport", "CTestPlatform",
      ],
      path: "Tests/Fuzzer",
      exclude: ["Corpus"],
      swiftSettings: onMainActor + touchingC
    ),
    .testTarget(
      name: "WidgetTestSupportTests",
      dependencies: ["WidgetTestSupport"],
      swiftSettings: house
    ),
    .testTarget(
      name: "EndToEndTests",
      dependencies: ["WidgetTestSupport"],
      swiftSettings: house
    ),
    .executableTarget(
      name: "SavingFixture",
      dependencies: ["WidgetKitCore"],
      path: "Tests/SwiftFixtures/Saving",
      swiftSettings: house
    ),
    .widget("Calendar"),
    .widget("Clock"),
    .widget("ClownTown", exclude: ["App"]),
    .widget("System"),
    .testTarget(
      name: "WidgetKitCoreTests",
      dependencies: ["WidgetKitCore", "WidgetTestSupport"],
      exclude: ["Layout/Goldens"],
      swiftSettings: house
    ),
    .testTarget(
      name: "WidgetHostTests",
      dependencies: [
        "WidgetHost", "WidgetKitCore", "WidgetTesting", "WidgetTestSupport", "SavingFixture",
        "SnapshotTorture", "Fuzzer",
      ],
      swiftSettings: onMainActor
    ),
    .testTarget(
      name: "WidgetTestingTests",
      dependencies: ["WidgetTesting", "WidgetHost", "WidgetKitCore", "WidgetTestSupport"],
      swiftSettings: onMainActor
    ),
    .testTarget(
      name: "WidgetTUITests",
      dependencies: ["WidgetTUI", "WidgetTesting", "WidgetHost", "WidgetKitCore"],
      exclude: ["Goldens"],
      swiftSettings: onMainActor
    ),
    .testTarget(name: "CalendarTests", dependencies: ["Calendar"], swiftSettings: house),
    .testTarget(
      name: "ClownTownTests",
      dependencies: ["ClownTown", "WidgetKitCore"],
      swiftSettings: house
    ),
    .testTarget(name: "SystemTests", dependencies: ["System"], swiftSettings: house),
  ],
  cLanguageStandard: .c17
)
