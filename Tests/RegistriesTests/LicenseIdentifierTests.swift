import Registries
import Testing

/// The form of licences of the gallery.
@Suite struct LicenseIdentifierTests {
  @Test(arguments: [
    "MIT", "Apache-2.0", "GPL-2.0+", "Apache-2.0 OR MIT",
    "GPL-2.0-only WITH Classpath-exception-2.0",
    "(MIT OR Apache-2.0) AND BSD-3-Clause", "LicenseRef-mine", "Not-Yet-Known-1.0",
  ])
  func `what has the form of an expression of SPDX is taken`(text: String) {
    #expect(LicenseIdentifier.fault(text) == nil)
  }

  @Test(
    arguments: [
      ("", nil), ("MIT License", "MIT"), ("Apache 2.0", "Apache-2.0"), ("MIT OR", nil),
      ("(MIT", nil), ("MIT)", nil), ("OR", nil), ("MIT/Apache-2.0", nil), ("GPL v3", nil),
    ] as [(String, String?)]
  )
  func `another text is named, with the identifier that is near`(text: String, near: String?) {
    let fault = LicenseIdentifier.fault(text)
    #expect(fault?.hasPrefix("“\(text)” is no identifier of SPDX") == true)
    if let near { #expect(fault?.hasSuffix("did you mean \(near)?") == true, "\(fault ?? "")") }
  }
}
