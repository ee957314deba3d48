extension KeyedDecodingContainer {
  /// Reads a number of cells, 0 to 10,000.
  func decodeExtent(forKey key: Key) throws -> Int {
    guard let value = try? decode(Int.self, forKey: key), Size.limit.contains(value) else {
      throw DecodingError.dataCorruptedError(
        forKey: key,
        in: self,
        debugDescription: "expected a whole number from 0 to 10000, found \(found(key))"
      )
    }
    return value
  }

  /// Reads a number of cells if the member is present and not null.
  func decodeExtentIfPresent(forKey key: Key) throws -> Int? {
    guard try contains(key) && !decodeNil(forKey: key) else { return nil }
    return try decodeExtent(forKey: key)
  }

  /// The kind of value at `key`.
  private func found(_ key: Key) -> String {
    guard contains(key) else { return "nothing" }
    return (try? JSONValue(superDecoder(forKey: key)).words) ?? "another value"
  }
}
