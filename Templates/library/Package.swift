// swift-tools-version: 6.3
import PackageDescription

// The library for widgets in Swift alone, as an installed program brings it in share/today/swift.
let package = Package(
  name: "today",
  products: [.library(name: "WidgetKitCore", targets: ["WidgetKitCore"])],
  targets: [
    .target(
      name: "WidgetKitCore",
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("ImmutableWeakCaptures"),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
      ]
    )
  ]
)
