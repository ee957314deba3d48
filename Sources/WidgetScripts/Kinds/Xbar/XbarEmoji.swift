/// Emoji by the names that plugins write between colons.
enum XbarEmoji {
  /// Replaces names that are known; a time such as `12:17:22` has none.
  static func replaced(in text: String) -> String {
    // By scalars: a colon and the mark behind it are one character.
    var rest = text.unicodeScalars[...]
    guard rest.contains(":") else { return text }
    var result = String.UnicodeScalarView()
    while let colon = rest.firstIndex(of: ":") {
      result += rest[..<colon]
      let after = rest.index(after: colon)
      if let end = rest[after...].prefix(longestName + 1).firstIndex(of: ":"),
        let emoji = emoji[String(rest[after..<end])]
      {
        result += emoji.unicodeScalars
        rest = rest[rest.index(after: end)...]
      } else {
        result.append(":")
        rest = rest[after...]
      }
    }
    return String(result + rest)
  }

  /// Leaves out the names of symbols that only a Mac has: `:sun.max.fill:`.
  static func withoutSymbols(_ text: String) -> String {
    guard text.unicodeScalars.contains(":") else { return text }
    let name = /:[a-z][a-z0-9]*(?:\.[a-z0-9]+)+:[ ]?/.matchingSemantics(.unicodeScalar)
    return text.replacing(name, with: "")
  }

  private static let longestName = 32

  /// The names that GitHub and Slack have too, as far as menus use them.
  private static let emoji: [String: String] = [
    "+1": "👍", "thumbsup": "👍", "-1": "👎", "thumbsdown": "👎", "100": "💯", "alarm_clock": "⏰",
    "ambulance": "🚑", "apple": "🍎", "arrow_down": "⬇️", "arrow_left": "⬅️", "arrow_right": "➡️",
    "arrow_up": "⬆️", "arrows_clockwise": "🔃", "art": "🎨", "balloon": "🎈", "bar_chart": "📊",
    "battery": "🔋", "beer": "🍺", "beers": "🍻", "bell": "🔔", "no_bell": "🔕", "bike": "🚲",
    "black_circle": "⚫", "blue_heart": "💙", "bomb": "💣", "book": "📖", "books": "📚", "boom": "💥",
    "broken_heart": "💔", "bug": "🐛", "bulb": "💡", "bus": "🚌", "cake": "🍰", "calendar": "📆",
    "camera": "📷", "car": "🚗", "cat": "🐱", "chart_with_downwards_trend": "📉",
    "chart_with_upwards_trend": "📈", "checkered_flag": "🏁", "clipboard": "📋",
    "closed_lock_with_key": "🔐",
    "cloud": "☁️", "coffee": "☕", "computer": "💻", "construction": "🚧", "credit_card": "💳",
    "crown": "👑",
    "cry": "😢", "date": "📅", "dog": "🐶", "dollar": "💵", "droplet": "💧", "earth_africa": "🌍",
    "earth_americas": "🌎", "earth_asia": "🌏", "electric_plug": "🔌", "email": "📧", "envelope": "✉️",
    "euro": "💶", "exclamation": "❗", "eyes": "👀", "file_folder": "📁", "fire": "🔥", "gear": "⚙️",
    "gem": "💎",
    "ghost": "👻", "gift": "🎁", "globe_with_meridians": "🌐", "green_apple": "🍏", "green_circle": "🟢",
    "green_heart": "💚", "grey_question": "❔", "hammer": "🔨", "hash": "#️⃣", "headphones": "🎧",
    "heart": "❤️",
    "heavy_check_mark": "✔️", "heavy_exclamation_mark": "❗", "hourglass": "⌛",
    "hourglass_flowing_sand": "⏳", "house": "🏠", "inbox_tray": "📥", "information_source": "ℹ️",
    "jack_o_lantern": "🎃", "key": "🔑", "keyboard": "⌨️", "label": "🏷️", "large_blue_circle": "🔵",
    "link": "🔗", "lock": "🔒", "mag": "🔍", "mailbox": "📫", "memo": "📝", "microphone": "🎤",
    "moneybag": "💰",
    "moon": "🌙", "musical_note": "🎵", "mute": "🔇", "newspaper": "📰", "no_entry": "⛔", "ok": "🆗",
    "ok_hand": "👌", "open_file_folder": "📂", "orange_circle": "🟠", "outbox_tray": "📤",
    "package": "📦",
    "page_facing_up": "📄", "partly_sunny": "⛅", "pause_button": "⏸️", "pencil": "📝", "phone": "☎️",
    "pill": "💊", "pizza": "🍕", "point_right": "👉", "poop": "💩", "pound": "💷", "printer": "🖨️",
    "pushpin": "📌", "question": "❓", "rabbit": "🐰", "radio_button": "🔘", "rain_cloud": "🌧️",
    "rainbow": "🌈", "recycle": "♻️", "red_circle": "🔴", "repeat": "🔁", "robot": "🤖", "rocket": "🚀",
    "rose": "🌹", "rotating_light": "🚨", "satellite": "📡", "scissors": "✂️", "shield": "🛡️",
    "ship": "🚢",
    "skull": "💀", "sleeping": "😴", "smile": "😄", "smiley": "😃", "snowflake": "❄️", "soccer": "⚽",
    "speaker": "🔈", "speech_balloon": "💬", "star": "⭐", "star2": "🌟", "stopwatch": "⏱️",
    "sunflower": "🌻",
    "sun_with_face": "🌞", "sunglasses": "😎", "sunny": "☀️", "sunrise": "🌅", "sweat_smile": "😅",
    "tada": "🎉",
    "tea": "🍵", "telephone": "☎️", "thermometer": "🌡️", "thought_balloon": "💭", "timer_clock": "⏲️",
    "toilet": "🚽", "tomato": "🍅", "tram": "🚊", "trophy": "🏆", "truck": "🚚", "tv": "📺",
    "umbrella": "☔",
    "unlock": "🔓", "warning": "⚠️", "wastebasket": "🗑️", "watch": "⌚", "wave": "👋", "whale": "🐳",
    "white_check_mark": "✅", "white_circle": "⚪", "wind_face": "🌬️", "wrench": "🔧", "x": "❌",
    "yellow_circle": "🟡", "yellow_heart": "💛", "zap": "⚡", "zzz": "💤",
  ]
}
