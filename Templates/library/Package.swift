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
    .target(
      name: "WidgetHost",
      dependencies: ["WidgetKitCore", "CPlatform", "ShippedThemes"],
      swiftSettings: onMainActor + [.strictMemorySafety()]
    ),
    .target(
      name: "WidgetTesting",
      dependencies: ["WidgetHost", "WidgetKitCore"],
      swiftSettings: onMainActor + [.strictMemorySafety()]
    ),
  ],
  cLanguageStandard: .c17
)
