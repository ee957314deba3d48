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
    )
  ]
)
