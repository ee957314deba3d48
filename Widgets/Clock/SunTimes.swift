import FoundationEssentials
import Glibc
import WidgetKitCore

/// When the sun rises and sets at a place on a day.
///
/// The algorithm is that of NOAA's solar calculator (https://gml.noaa.gov/grad/solcalc/calcdetails.html),
/// after Jean Meeus, "Astronomical Algorithms". It is right to about a minute below 72° of latitude; a
/// mountain and the weather make more of a difference.
enum SunTimes: Hashable, Sendable {
  /// It rises and sets; one of both is nil on a day next to a polar day or night.
  case day(sunrise: Date?, sunset: Date?)
  /// It does not set.
  case polarDay
  /// It does not rise.
  case polarNight

  /// The zenith of the sun's centre when its upper edge is on the horizon: 90°, refraction and radius.
  private static let zenith = 90.833
  private static let secondsInDay = 86_400.0

  /// Computes the times of `day` at a place, whose clocks are `offset` seconds ahead of Greenwich.
  init(on day: CivilDate, at place: Coordinates, secondsFromGMT offset: Int) {
    let midnight = Double(day.daysSince1970) * Self.secondsInDay
    let localNoon = midnight + Self.secondsInDay / 2 - Double(offset)
    // The noon of the sun that is nearest to that of the clocks: near the date line they are of other days.
    let shift = (localNoon - Self.noon(near: localNoon, place)) / Self.secondsInDay
    let noon = Self.noon(near: localNoon + shift.rounded() * Self.secondsInDay, place)
    let sunrise = Self.horizon(from: noon, sign: -1, place)
    let sunset = Self.horizon(from: noon, sign: 1, place)
    if sunrise == nil, sunset == nil {
      self = Self.cosineOfHourAngle(at: noon, place) < -1 ? .polarDay : .polarNight
    } else {
      self = .day(
        sunrise: sunrise.map { Date(timeIntervalSince1970: $0) },
        sunset: sunset.map { Date(timeIntervalSince1970: $0) }
      )
    }
  }

  /// How long the sun is up, in seconds; nil if it does not both rise and set.
  var length: Double? {
    guard case .day(let sunrise?, let sunset?) = self else { return nil }
    return sunset.timeIntervalSince(sunrise)
  }

  // MARK: - The sun

  /// The noon of the sun on the day of `seconds` in Greenwich, in seconds since 1970.
  private static func noon(near seconds: Double, _ place: Coordinates) -> Double {
    let midnight = (seconds / secondsInDay).rounded(.down) * secondsInDay
    let noon = midnight + (720 - 4 * place.longitude) * 60
    return noon - equationOfTime(at: noon) * 60
  }

  /// When the sun crosses the horizon before or after a noon; nil if it does not.
  private static func horizon(from noon: Double, sign: Double, _ place: Coordinates) -> Double? {
    var time = noon
    // The sun moves on until then, so that the angle is computed again for the time that was found.
    for _ in 0..<3 {
      let cosine = cosineOfHourAngle(at: time, place)
      guard (-1...1).contains(cosine) else { return nil }
      let drift = (equationOfTime(at: noon) - equationOfTime(at: time)) * 60
      time = noon + sign * degrees(acos(cosine)) * 240 + drift
    }
    return time
  }

  /// Above 1 the sun stays below the horizon on that day, below −1 above it.
  private static func cosineOfHourAngle(at seconds: Double, _ place: Coordinates) -> Double {
    let declination = sun(at: seconds).declination
    // At a pole the tangent has no value.
    let latitude = radians(min(max(place.latitude, -89.99), 89.99))
    return cos(radians(zenith)) / (cos(latitude) * cos(declination))
      - tan(latitude) * tan(declination)
  }

  /// The minutes by which a sundial is ahead of a clock.
  private static func equationOfTime(at seconds: Double) -> Double {
    sun(at: seconds).equation
  }

  private static func sun(at seconds: Double) -> (declination: Double, equation: Double) {
    // Julian centuries since noon on 1 January 2000.
    let t = (seconds / secondsInDay + 2_440_587.5 - 2_451_545) / 36_525
    let meanLongitude = radians(280.46646 + t * (36_000.76983 + t * 0.0003032))
    let meanAnomaly = radians(357.52911 + t * (35_999.05029 - 0.0001537 * t))
    let eccentricity = 0.016708634 - t * (0.000042037 + 0.0000001267 * t)
    let center =
      sin(meanAnomaly) * (1.914602 - t * (0.004817 + 0.000014 * t))
      + sin(2 * meanAnomaly) * (0.019993 - 0.000101 * t) + sin(3 * meanAnomaly) * 0.000289
    let node = radians(125.04 - 1934.136 * t)
    let longitude = meanLongitude + radians(center - 0.00569 - 0.00478 * sin(node))
    let meanObliquity =
      23 + (26 + (21.448 - t * (46.815 + t * (0.00059 - t * 0.001813))) / 60) / 60
    let obliquity = radians(meanObliquity + 0.00256 * cos(node))
    let y = pow(tan(obliquity / 2), 2)
    let equation =
      y * sin(2 * meanLongitude) - 2 * eccentricity * sin(meanAnomaly)
      + 4 * eccentricity * y * sin(meanAnomaly) * cos(2 * meanLongitude)
      - 0.5 * y * y * sin(4 * meanLongitude)
      - 1.25 * eccentricity * eccentricity * sin(2 * meanAnomaly)
    return (asin(sin(obliquity) * sin(longitude)), 4 * degrees(equation))
  }

  private static func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
  private static func degrees(_ radians: Double) -> Double { radians * 180 / .pi }
}
