import FoundationEssentials
import Glibc
import Testing
import WidgetKitCore

@testable import WidgetTUI

@Suite struct FolderDiagnosisTests {
  private let root = "/tmp/today-doctor-\(UInt64.random(in: 0 ... .max))"

  private var environment: [String: String] {
    [
      "HOME": root, "XDG_STATE_HOME": "\(root)/state", "XDG_CACHE_HOME": "\(root)/cache",
      "XDG_DATA_HOME": "\(root)/data", "XDG_CONFIG_HOME": "\(root)/config",
      "XDG_RUNTIME_DIR": "\(root)/run",
    ]
  }

  private func make(_ name: String, mode: Int = 0o700) throws {
    try FileManager.default.createDirectory(
      atPath: "\(root)/\(name)/today",
      withIntermediateDirectories: true
    )
    chmod("\(root)/\(name)/today", mode_t(mode))
  }

  /// The findings of a folder.
  private func findings(_ name: String) -> [Finding] {
    FolderDiagnosis(environment: environment).findings.filter {
      $0.what.string.hasPrefix("\(root)/\(name)/today")
    }
  }

  @Test func `folders that are there and those that are made later are right`() throws {
    for name in ["state", "cache"] { try make(name) }
    defer { try? FileManager.default.removeItem(atPath: root) }
    #expect(findings("state").map(\.level) == [.ok])
    #expect(findings("state").first?.what.string.hasSuffix("free") == true)
    #expect(findings("data").map(\.level) == [.ok])
    #expect(findings("data").first?.what.string.hasSuffix("is created when it is needed") == true)
    // Five folders, and whether changes in them are noticed.
    #expect(FolderDiagnosis(environment: environment).findings.count == 6)
  }

  @Test func `a folder that others can write to is wrong, with what to do`() throws {
    try make("state", mode: 0o777)
    defer { try? FileManager.default.removeItem(atPath: root) }
    let finding = try #require(findings("state").first)
    #expect(finding.level == .wrong)
    #expect(finding.advice?.string == "chmod go-w \(root)/state/today")
  }

  @Test func `a file, a pipe or a dead link in place of a folder is wrong`() throws {
    defer { try? FileManager.default.removeItem(atPath: root) }
    for name in ["state", "cache", "data"] {
      try FileManager.default.createDirectory(
        atPath: "\(root)/\(name)",
        withIntermediateDirectories: true
      )
    }
    try Data().write(to: URL(filePath: "\(root)/state/today"))
    #expect(mkfifo("\(root)/cache/today", 0o600) == 0)
    try FileManager.default.createSymbolicLink(
      atPath: "\(root)/data/today",
      withDestinationPath: "today"
    )
    for name in ["state", "cache", "data"] {
      #expect(findings(name).map(\.level) == [.wrong], "\(name)")
    }
  }

  @Test func `without a runtime folder there is a warning`() {
    let findings = FolderDiagnosis(environment: ["HOME": root]).findings
    let warnings = findings.filter { $0.level == .warning }
    #expect(warnings.contains { $0.what.string.contains("XDG_RUNTIME_DIR") })
  }
}
