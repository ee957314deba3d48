// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "__NAME__",
  dependencies: [
    __DEPENDENCY__
  ],
  targets: [
    .executableTarget(
      name: "__NAME__",
      dependencies: [.product(name: "WidgetKitCore", package: "__PACKAGE__")]
    ),
    // Only “swift test” builds it, and the library that it uses.
    .testTarget(
      name: "__NAME__Tests",
      dependencies: ["__NAME__", .product(name: "WidgetTesting", package: "__PACKAGE__")]
    ),
  ]
)
