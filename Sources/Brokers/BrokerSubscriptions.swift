import FoundationEssentials
package import WidgetPlatform

/// A filter whose topics become cards of a page.
package struct BrokerSubscription: Codable, Hashable, Sendable {
  /// The address of the broker.
  package var broker: String
  package var filter: String
  /// The page; nil for the first one.
  package var page: String?

  package init(broker: BrokerAddress, filter: String, page: PageName?) {
    (self.broker, self.filter) = (broker.description, filter)
    self.page = page?.description
  }
}

/// The filters that the user has subscribed to, in a file that all programs share.
package enum BrokerSubscriptions {
  private static let byteLimit = 1 << 20
  /// The most subscriptions.
  package static let limit = 100

  /// Reads them; those that cannot be used are left out.
  package static func read(_ folders: StateFolders) -> [BrokerSubscription] {
    guard let bytes = DurableFile.read(folders.subscriptions, byteLimit: byteLimit),
      let read = try? JSONDecoder().decode([BrokerSubscription].self, from: Data(bytes))
    else { return [] }
    return Array(
      read.filter {
        (try? BrokerAddress($0.broker)) != nil && TopicRules.filterFault($0.filter) == nil
      }.prefix(limit)
    )
  }

  /// Adds one, in place of one of the same filter, or removes it.
  ///
  /// - Throws: ``HostError`` if the file cannot be written, or there are too many.
  package static func change(
    _ folders: StateFolders,
    _ subscription: BrokerSubscription,
    isRemoved: Bool = false
  ) throws(HostError) {
    let place = OwnPath.split(folders.subscriptions)
    try OwnFolder.whileLocked(place.folder, of: "subscriptions") { folder throws(HostError) in
      var all = read(folders).filter {
        $0.broker != subscription.broker
          || TopicKey($0.filter) != TopicKey(subscription.filter)
      }
      if !isRemoved { all.append(subscription) }
      guard all.count <= limit else {
        throw HostError(code: .tooLarge, description: "there are \(limit) subscriptions already")
      }
      do throws(FileFault) {
        // Texts can always be written.
        let bytes = (try? JSONEncoder().encode(all)) ?? Data("[]".utf8)
        try folder.replace(place.name, with: Array(bytes), waitsForDisk: true)
      } catch {
        throw .file("write", folders.subscriptions, error)
      }
    }
  }
}
