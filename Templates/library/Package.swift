// swift-tools-version: 6.3
import PackageDescription

// The libraries for widgets in Swift and their tests, as an installed program brings them in share/today/swift.
let swiftDefaults: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("ImmutableWeakCaptures"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]
let onMainActor: [SwiftSetting] = swiftDefaults + [.defaultIsolation(MainActor.self)]

let package = Package(
  name: "today",
  products: [
    .library(name: "WidgetKitCore", targets: ["WidgetKitCore"]),
    .library(name: "WidgetTesting", targets: ["WidgetTesting"]),
  ],
  targets: [
    .target(name: "CPlatform", cSettings: [.define("_GNU_SOURCE")]),
    .target(name: "WidgetKitCore", swiftSettings: swiftDefaults),
    .target(
      name: "ShippedThemes",
      resources: [.embedInCode("Files")],
      swiftSettings: swiftDefaults
    ),
    .target(name: "CMagic", cSettings: [.define("_GNU_SOURCE")]),
    .target(
      name: "ExtensionContent",
      dependencies: ["WidgetKitCore", "CMagic"],
      resources: [.embedInCode("Types/UniformTypes.tsv")],
      swiftSettings: swiftDefaults + [.strictMemorySafety()]
    ),
    .target(
      name: "WidgetPlatform",
      dependencies: ["WidgetKitCore", "CPlatform"],
      swiftSettings: swiftDefaults + [.strictMemorySafety()]
    ),
    .target(
      name: "Notices",
      dependencies: ["WidgetPlatform", "WidgetKitCore"],
      swiftSettings: swiftDefaults + [.strictMemorySafety()]
    ),
    .target(
      name: "WidgetExtensions",
      dependencies: [
        "WidgetPlatform", "WidgetKitCore", "ShippedThemes", "ExtensionContent", "CPlatform",
      ],
      swiftSettings: swiftDefaults + [.strictMemorySafety()]
    ),
    .target(
      name: "Brokers",
      dependencies: ["WidgetPlatform", "WidgetExtensions", "WidgetKitCore"],
      swiftSettings: swiftDefaults + [.strictMemorySafety()]
    ),
    .target(name: "JSONQueries", dependencies: ["WidgetKitCore"], swiftSettings: swiftDefaults),
    .target(
      name: "WidgetScripts",
      dependencies: [
        "Brokers", "JSONQueries", "WidgetPlatform", "WidgetExtensions", "WidgetKitCore",
      ],
      swiftSettings: swiftDefaults + [.strictMemorySafety()]
    ),
    .target(
      name: "WidgetSessions",
      dependencies: ["WidgetPlatform", "WidgetExtensions", "WidgetKitCore", "CPlatform"],
      swiftSettings: swiftDefaults + [.strictMemorySafety()]
    ),
    .target(
      name: "WidgetCards",
      dependencies: [
        "WidgetPlatform", "WidgetExtensions", "WidgetSessions", "WidgetKitCore", "CPlatform",
      ],
      swiftSettings: onMainActor + [.strictMemorySafety()]
    ),
    .target(
      name: "PageRecords",
      dependencies: [
        "WidgetPlatform", "WidgetExtensions", "WidgetSessions", "WidgetCards", "WidgetKitCore",
      ],
      swiftSettings: onMainActor + [.strictMemorySafety()]
    ),
    .target(
      name: "WidgetPages",
      dependencies: [
        "WidgetPlatform", "WidgetExtensions", "Brokers", "WidgetScripts", "WidgetSessions",
        "WidgetCards", "PageRecords", "WidgetKitCore", "ExtensionContent", "Notices", "CPlatform",
      ],
      swiftSettings: onMainActor + [.strictMemorySafety()]
    ),
    .target(
      name: "WidgetRequests",
      dependencies: [
        "WidgetPlatform", "WidgetExtensions", "WidgetScripts", "WidgetSessions", "WidgetPages",
        "WidgetKitCore", "ExtensionContent", "CPlatform",
      ],
      swiftSettings: onMainActor + [.strictMemorySafety()]
    ),
    .target(
      name: "WidgetTesting",
      dependencies: [
        "WidgetPlatform", "WidgetExtensions", "WidgetScripts", "WidgetSessions", "WidgetCards",
        "WidgetPages", "WidgetRequests", "ExtensionContent", "WidgetKitCore",
      ],
      swiftSettings: onMainActor + [.strictMemorySafety()]
    ),
  ],
  cLanguageStandard: .c17
)
