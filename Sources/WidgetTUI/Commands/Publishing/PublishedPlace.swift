/// Where editions of a page are put, which may be away.
protocol PublishedPlace: AnyObject {
  /// Called when it could not be reached, and can be now.
  var onReturn: () -> Void { get set }

  /// Whether an edition has something to be put there, after the last one that was.
  func isDue(_ edition: PublishedEdition, after last: PublishedEdition.Summary) -> Bool

  /// Puts an edition there, of which only what has changed is written.
  ///
  /// - Throws: ``PublishFault``; what was there before is still there, whole.
  func publish(_ edition: PublishedEdition) async throws(PublishFault)

  /// Ends what was opened, in order.
  func close() async
}

extension PublishedPlace {
  func isDue(_ edition: PublishedEdition, after last: PublishedEdition.Summary) -> Bool {
    edition.summary.follows(last)
  }
}
