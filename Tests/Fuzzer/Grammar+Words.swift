/// The parts of generated texts.
extension Grammar {
  static let types = [
    "text", "date", "vstack", "hstack", "zstack", "grid", "spacer", "divider", "gauge", "sparkline",
    "chart", "image", "button", "toggle", "list", "field", "fold", "ansi", "hologram",
  ]
  static let methods = [
    "setView", "setPreferredContentSize", "setLargestAvailableDisplayMode", "setHasContent",
    "openURL", "beginExpiringActivity", "endExpiringActivity", "log", "observeNotification",
    "postNotification", "defaultsRead", "defaultsWrite", "downloadInBackground", "initialize",
    "shutdown", "nothing", "",
  ]
  static let members = [
    "view", "result", "error", "refreshAfter", "protocolVersion", "implements", "alongside",
    "timeline", "height", "flag", "bundleIdentifier", "url", "reason", "activity", "level",
    "message",
    "mode", "code", "top", "left", "bottom", "right", "largestAvailableDisplayMode",
    "allowsEditing", "preferredContentSize", "id",
  ]
  static let viewMembers = [
    "id", "style", "padding", "frame", "layoutPriority", "link", "action", "transition",
    "privacySensitive", "accessibilityLabel", "text", "spans", "lineLimit", "truncation",
    "alignment", "date", "display", "timeZone", "spacing", "columns", "columnSpacing", "rowSpacing",
    "minLength", "value", "minimum", "maximum", "label", "valueLabel", "thresholds", "values",
    "height", "series", "kind", "path", "data", "alt", "isOn", "isOpen",
    "minimumVisibleRowCount", "emptyText", "allowsAdding", "placeholder", "canRemove", "canMove",
    "help", "interval",
  ]
  static let numbers = [
    "0", "1", "-1", "2", "3", "7", "40", "80", "9999", "10000", "10001", "-10000", "0.5", "-0.0",
    "1e3", "1e308", "-1e308", "1e-320", "9223372036854775807", "-9223372036854775808",
    "9223372036854775808", "18446744073709551616", "3.0000000000000004", "1e400", "0.1",
    "1e300", "-1e300", "1e19", "-1e19", "1e-300", "9007199254740993", "800000000", "810000000.5",
    "123456789012345678901234567890123456789012345678901234567890", "0.00000000000000000000001",
  ]
  static let settings = [
    "limits", "memory", "deadlines", "restarts", "schedule", "developer", "lineBytes", "widgets",
    "floorSeconds", "hiddenBudget", "hardBytes", "initializeSeconds", "failureLimit", "nothing",
  ]
  static let words = [
    "a", "word ", "ä", "東京", "👩‍👩‍👧‍👦", "🇩🇰", "e\u{301}", "\u{200B}", "\u{202E}", "\u{2066}",
    "\u{FEFF}", "\u{E0041}", "\\u001b[31m", "\\u009b2J", "\\n", "\\r", "\\t", "\\u0000", "\\ud83d",
    "\\\\", "\\\"", "/", "                    ", "https://example.com/", "no\u{AD}break",
    "\u{0}", "\u{1B}", String(repeating: "x", count: 300), String(repeating: "\u{301}", count: 40),
  ]
  static let dates = [
    "2026-11-21T05:00:00Z", "2026-11-21T05:00:00.123+01:00", "9999-12-31T23:59:59Z",
    "0000-00-00T00:00:00Z", "-0001-01-01T00:00:00Z", "2026-02-30T25:61:61Z", "", "now",
    "2026-11-21T05:00:00+99:99", "99999-01-01T00:00:00Z",
  ]
  static let pieces = [
    "\u{1B}[", "\u{1B}]0;title\u{7}", "\u{1B}P", "\u{9B}", "31", ";", "m", "38;5;200m",
    "48;2;1;2;3m",
    "999999999999999999999m", "H", "2J", "\u{1B}\\", "text", "\n", "\r", "\u{8}", "\u{202E}", "東京",
    "👩‍👩‍👧‍👦", "e\u{301}", ":", "?25l", "\u{1B}", "\u{0}",
  ]
  static let queryPieces = [
    "$", "@", ".", "..", "*", "[*]", "[", "]", "['a']", "[?", "[?@.id == 1]", "[0]", "[-1]",
    "[::2]",
    "[?count($..*) > 1]", "length(", "value(", "match(@, '(a*)*b')", "search(@,", ")", "(", "&&",
    "||", "!", "==", "<", "'a'", "\"", "\\", "1", "-0", "1e3", ",", " ", "null", "id", "e\u{301}",
  ]
  static let expressionPieces = [
    "a", "b", ".", "*", "+", "?", "|", "(", ")", "[", "]", "[^", "-", "{2}", "{1,}", "{0,99}",
    "\\p{L}",
    "\\P{Nd}", "\\.", "\\", "^", "$", "é", "e\u{301}", "\\d", "(a*)*", "{", "}", ",", "9999999999",
  ]
  static let plistWords = [
    "CFBundleIdentifier", "CFBundleName", "CFBundleDisplayName", "CFBundleExecutable", "run",
    "NSExtension", "NSExtensionPointIdentifier", "com.apple.widget-extension",
    "NSExtensionPrincipalClass", "NSExtensionAttributes", "CFBundleURLTypes", "CFBundleURLSchemes",
    "com.example.A", "../../etc", "\u{202E}evil", "a b", "", "&amp;", "&#27;", "&lt;", "\u{1B}[2J",
    String(repeating: "k", count: 400),
  ]
}

extension Grammar {
  /// Parts of what terminals send.
  static let sequences = [
    "\u{1B}", "\u{1B}[", "\u{1B}O", "\u{1B}]", "\u{1B}P", "\u{1B}_", "\u{1B}^", "\u{1B}X",
    "\u{1B}\\",
    "\u{7}", "\u{1B}[A", "\u{1B}[1;5C", "\u{1B}[3~", "\u{1B}[200~", "\u{1B}[201~",
    "\u{1B}[27;5;105~",
    "\u{1B}[97;2:3u", "\u{1B}[<0;3;4M", "\u{1B}[M !!", "\u{1B}[32;1;1M", "\u{1B}[[A", "\u{1B}[7$",
    "\u{1B}]11;rgb:ff/ff/ff\u{1B}\\", "\u{1B}[?62;4c", "\u{1B}[?2026;2$y", "\u{1B}[I", "\u{1B}OP",
    "\u{1B}_Gi=31;OK\u{1B}\\", "\u{1B}P>|x\u{1B}\\", "q", "ä", "漢", "\u{9B}", "\r", "\u{3}", "0",
    ";", ":",
    "?", "<", "~", "u", "$", "99999999999999999999", String(repeating: "1;", count: 600),
    String(repeating: "x", count: 5_000),
  ]
}
