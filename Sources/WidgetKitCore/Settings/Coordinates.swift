/// A place on the earth, in degrees.
public struct Coordinates: Hashable, Sendable {
  /// From −90 in the south to 90.
  public var latitude: Double
  /// From −180 in the west to 180.
  public var longitude: Double

  /// Creates a place; nil if a number is out of its range.
  public init?(latitude: Double, longitude: Double) {
    guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
    self.latitude = latitude
    self.longitude = longitude
  }

  /// Reads what a person writes: `55.68, 12.57`, `55.68 N 12.57 E` or `+5540+01235`.
  public init?(parsing text: String) {
    if let place = Self(coordinates: text[...]) {
      self = place
      return
    }
    var numbers: [Double] = []
    var letters: [Character] = []
    var digits = ""
    func take() {
      if let number = Double(digits) { numbers.append(number) }
      digits = ""
    }
    for character in text.uppercased() {
      switch character {
      case "0"..."9", ".", "+", "-": digits.append(character)
      case "−": digits.append("-")
      case "N", "S", "E", "W":
        take()
        // Each follows its number.
        guard letters.count + 1 == numbers.count else { return nil }
        letters.append(character)
      case " ", ",", ";", "°", "\t":
        guard digits.isEmpty || Double(digits) != nil else { return nil }
        take()
      default: return nil
      }
    }
    guard digits.isEmpty || Double(digits) != nil else { return nil }
    take()
    guard numbers.count == 2, letters.isEmpty || letters.count == 2 else { return nil }
    if letters.count == 2 {
      guard "NS".contains(letters[0]), "EW".contains(letters[1]), numbers.allSatisfy({ $0 >= 0 })
      else { return nil }
      if letters[0] == "S" { numbers[0].negate() }
      if letters[1] == "W" { numbers[1].negate() }
    }
    self.init(latitude: numbers[0], longitude: numbers[1])
  }

  /// Reads coordinates of ISO 6709 as in the tables of the tz database: `±DDMM±DDDMM` or
  /// `±DDMMSS±DDDMMSS`.
  public init?(coordinates text: Substring) {
    guard let first = text.first, "+-".contains(first),
      let second = text.dropFirst().firstIndex(where: { "+-".contains($0) }),
      let latitude = Self.angle(text[..<second], digits: 2),
      let longitude = Self.angle(text[second...], digits: 3)
    else { return nil }
    self.init(latitude: latitude, longitude: longitude)
  }

  private static func angle(_ text: Substring, digits: Int) -> Double? {
    let figures = text.dropFirst()
    guard figures.utf8.count == digits + 2 || figures.utf8.count == digits + 4,
      figures.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    let minutes = figures.dropFirst(digits)
    let parts = [figures.prefix(digits), minutes.prefix(2), minutes.dropFirst(2)]
    let numbers = parts.map { Double($0) ?? 0 }
    guard numbers[1] < 60, numbers[2] < 60 else { return nil }
    let angle = numbers[0] + numbers[1] / 60 + numbers[2] / 3600
    return text.first == "-" ? -angle : angle
  }
}
