package import ExtensionContent

extension HarnessContent {
  /// A content that an extension accepts, and what it is; nil if none is known.
  package static func sample(
    for target: ContentExtension,
    _ table: TypeTable
  ) -> (name: String, content: HarnessContent)? {
    SampleContents(for: target, table).all.first.map { ($0.name, $0.content) }
  }
}
