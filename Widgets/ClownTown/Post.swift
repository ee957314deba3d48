import FoundationEssentials

/// One post of the ClownTown feed.
struct Post: Identifiable, Hashable, Decodable {
  let id: String
  let author: String
  let text: String

  init(id: String, author: String, text: String) {
    self.id = id
    self.author = author
    self.text = text
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if let number = try? container.decode(Int.self, forKey: .id) {
      id = String(number)
    } else {
      id = try container.decode(String.self, forKey: .id)
    }
    author = try container.decode(String.self, forKey: .author)
    text = try container.decode(String.self, forKey: .text)
  }

  private enum CodingKeys: String, CodingKey {
    case id
    case author
    case text
  }
}

/// Why there are no posts, as text for the card.
struct FeedError: Error, CustomStringConvertible {
  let description: String
}

extension [Post] {
  /// Reads the feed that the containing app writes: a JSON array of posts.
  init(contentsOf path: String) throws(FeedError) {
    let data: Data
    do {
      data = try Data(contentsOf: URL(filePath: path))
    } catch {
      throw FeedError(description: "Cannot read posts.json of the ClownTown app")
    }
    do {
      self = try JSONDecoder().decode([Post].self, from: data)
    } catch {
      throw FeedError(description: "posts.json of the ClownTown app is not a list of posts")
    }
  }
}
