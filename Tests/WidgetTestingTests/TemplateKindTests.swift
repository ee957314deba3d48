import Foundation
import Testing
import WidgetTestSupport
import WidgetTesting

@Suite struct TemplateKindTests {
  @Test(arguments: TemplateKind.allCases)
  func `there is a template for each language of a kind, and no other`(kind: TemplateKind) throws {
    let folder = BuiltTool.package.appending(path: "Templates/\(kind.rawValue)")
    let names = try FileManager.default.contentsOfDirectory(
      atPath: folder.path(percentEncoded: false)
    )
    #expect(Set(names) == Set(kind.languages.map(\.rawValue)))
    for language in WidgetLanguage.allCases {
      #expect((kind.refusal(of: language) == nil) == kind.languages.contains(language))
    }
    if let standard = kind.standardLanguage { #expect(kind.languages.contains(standard)) }
  }
}
