internal import Glibc

/// What surrounds the programs that tests start and must not matter to them: locale, zone and kind of terminal.
///
/// A seed chooses them, so that a failure can be repeated: `TODAY_TEST_SEED=7`, or `Scripts/test --seed 7`. Without
/// one they are the usual ones. A test to which one of them matters sets it itself.
package struct TestSurroundings: Hashable, Sendable {
  /// `LANG`: a locale in UTF-8, which need not be installed.
  package var locale = "C.UTF-8"
  /// `TZ`: a name of the tz database.
  package var zone = "UTC"
  /// `TERM`.
  package var term = "xterm-256color"

  private static let locales = ["C.UTF-8", "en_US.UTF-8", "de_AT.UTF-8", "ja_JP.UTF-8"]
  // Offsets of half an hour and of three quarters, summer time on both sides of the equator, and next to the date line.
  private static let zones = [
    "UTC", "Europe/Berlin", "Asia/Kathmandu", "America/St_Johns", "Australia/Lord_Howe",
    "Pacific/Kiritimati", "Pacific/Pago_Pago",
  ]
  private static let terms = ["xterm-256color", "tmux-256color", "screen-256color"]

  /// The surroundings of a seed; 0 is for the usual ones.
  package init(seed: UInt64) {
    guard seed != 0 else { return }
    var random = SeededGenerator(seed: seed)
    locale = random.one(of: Self.locales)
    zone = random.one(of: Self.zones)
    term = random.one(of: Self.terms)
  }

  /// Those of this run, which are printed when they are not the usual ones.
  package static let current: TestSurroundings = {
    let text = unsafe getenv("TODAY_TEST_SEED").map { unsafe String(cString: $0) } ?? "0"
    guard let seed = UInt64(text) else {
      fatalError("TODAY_TEST_SEED: expected a whole number, found \(text)")
    }
    let chosen = TestSurroundings(seed: seed)
    if seed != 0 {
      print("Seed \(seed): LANG=\(chosen.locale) TZ=\(chosen.zone) TERM=\(chosen.term)")
    }
    return chosen
  }()
}
