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
        let emoji = emoji(String(rest[after..<end]))
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
    guard text.unicodeScalars.count(where: { $0 == ":" }) > 1 else { return text }
    return unsafe text.replacing(symbol, with: "")
  }

  /// The name of such a symbol; made once, and never changed.
  private nonisolated(unsafe) static let symbol =
    /:[a-z][a-z0-9]*(?:\.[a-z0-9]+)+:[ ]?/.matchingSemantics(.unicodeScalar)

  /// The emoji of a name; nil if there is none.
  private static func emoji(_ name: String) -> String? {
    // A number is a part of a time.
    guard name.utf8.contains(where: { (0x61...0x7A).contains($0) }) else { return emoji[name] }
    return emoji[name] ?? named[name]
  }

  /// The longest name that is looked up.
  private static let longestName = 48

  /// Where Unicode has its emoji, without the letters and ideographs between them.
  private static let emojiRanges: [ClosedRange<UInt32>] = [0x203C...0x3299, 0x1F000...0x1FAFF]

  /// Emoji by their names in Unicode, with `_` between the words: `house_with_garden`.
  private static let named: [String: String] = {
    var named: [String: String] = [:]
    for code in emojiRanges.joined() {
      guard let scalar = Unicode.Scalar(code), scalar.properties.isEmoji,
        let name = scalar.properties.name
      else { continue }
      // A sign that is text by itself is a picture with the selector behind it.
      let mark = scalar.properties.isEmojiPresentation ? "" : "\u{FE0F}"
      named[name.lowercased().replacing(" ", with: "_")] = String(scalar) + mark
    }
    return named
  }()

  /// The names that GitHub and Slack have too, where Unicode has others, as far as menus use them.
  private static let emoji: [String: String] = [
    "ab": "🆎", "alarm_clock": "⏰", "ambulance": "🚑", "angry": "😠", "apple": "🍎",
    "arrow_backward": "◀️", "arrow_down": "⬇️", "arrow_down_small": "🔽",
    "arrow_forward": "▶️", "arrow_left": "⬅️", "arrow_lower_left": "↙️",
    "arrow_lower_right": "↘️", "arrow_right": "➡️", "arrow_up": "⬆️", "arrow_up_down": "↕️",
    "arrow_up_small": "🔼", "arrow_upper_left": "↖️", "arrow_upper_right": "↗️",
    "arrows_clockwise": "🔃", "arrows_counterclockwise": "🔄", "art": "🎨", "asterisk": "*️⃣",
    "astonished": "😲", "back": "🔙", "balloon": "🎈", "bangbang": "‼️", "bar_chart": "📊",
    "basketball": "🏀", "battery": "🔋", "bee": "🐝", "beer": "🍺", "beers": "🍻", "bell": "🔔",
    "bike": "🚲", "biohazard": "☣️", "black_circle": "⚫", "blue_heart": "💙",
    "blue_square": "🟦", "blush": "😊", "boat": "⛵", "bomb": "💣", "book": "📖", "books": "📚",
    "boom": "💥", "broken_heart": "💔", "brown_circle": "🟤", "brown_square": "🟫", "bug": "🐛",
    "bulb": "💡", "bullettrain_front": "🚅", "bullettrain_side": "🚄", "bus": "🚌", "cake": "🍰",
    "calendar": "📆", "calling": "📲", "camera": "📷", "car": "🚗", "cat": "🐱", "cd": "💿",
    "chart_with_downwards_trend": "📉", "chart_with_upwards_trend": "📈", "checkered_flag": "🏁",
    "clap": "👏", "clapper": "🎬", "clipboard": "📋", "clock1": "🕐", "clock10": "🕙",
    "clock11": "🕚", "clock12": "🕛", "clock2": "🕑", "clock3": "🕒", "clock4": "🕓",
    "clock5": "🕔", "clock6": "🕕", "clock7": "🕖", "clock8": "🕗", "clock9": "🕘",
    "closed_lock_with_key": "🔐", "cloud": "☁️", "cloud_with_lightning_and_rain": "⛈️",
    "cn": "🇨🇳", "cocktail": "🍸", "coffee": "☕", "computer": "💻", "confounded": "😖",
    "confused": "😕", "construction": "🚧", "cool": "🆒", "cop": "👮", "credit_card": "💳",
    "crossed_fingers": "🤞", "crown": "👑", "cry": "😢", "dart": "🎯", "dash": "💨", "date": "📅",
    "de": "🇩🇪", "disappointed": "😞", "dizzy": "💫", "dog": "🐶", "dollar": "💵",
    "droplet": "💧", "e-mail": "📧", "earth_africa": "🌍", "earth_americas": "🌎",
    "earth_asia": "🌏", "eight": "8️⃣", "electric_plug": "🔌", "email": "📧", "end": "🔚",
    "envelope": "✉️", "es": "🇪🇸", "euro": "💶", "exclamation": "❗", "expressionless": "😑",
    "eyes": "👀", "facepalm": "🤦", "facepunch": "👊", "fast_forward": "⏩", "fearful": "😨",
    "file_folder": "📁", "fire": "🔥", "first_quarter_moon": "🌓", "fist": "✊", "five": "5️⃣",
    "flushed": "😳", "football": "🏈", "four": "4️⃣", "fr": "🇫🇷", "free": "🆓", "fries": "🍟",
    "frowning": "😦", "fuelpump": "⛽", "full_moon": "🌕", "gb": "🇬🇧", "gear": "⚙️", "gem": "💎",
    "ghost": "👻", "gift": "🎁", "gift_heart": "💝", "globe_with_meridians": "🌐",
    "green_apple": "🍏", "green_circle": "🟢", "green_heart": "💚", "green_square": "🟩",
    "grey_question": "❔", "grin": "😁", "gun": "🔫", "hammer": "🔨", "hand": "✋", "hash": "#️⃣",
    "headphones": "🎧", "hear_no_evil": "🙉", "heart": "❤️", "heart_eyes": "😍",
    "heavy_check_mark": "✔️", "heavy_exclamation_mark": "❗", "hourglass": "⌛",
    "hourglass_flowing_sand": "⏳", "house": "🏠", "icecream": "🍦", "inbox_tray": "📥",
    "information_source": "ℹ️", "interrobang": "⁉️", "iphone": "📱", "it": "🇮🇹",
    "jack_o_lantern": "🎃", "joy": "😂", "jp": "🇯🇵", "key": "🔑", "keyboard": "⌨️",
    "kissing_heart": "😘", "kr": "🇰🇷", "label": "🏷️", "large_blue_circle": "🔵",
    "last_quarter_moon": "🌗", "laughing": "😆", "link": "🔗", "lock": "🔒", "loud_sound": "🔊",
    "loudspeaker": "📢", "mag": "🔍", "mag_right": "🔎", "mailbox": "📫", "mailbox_closed": "📪",
    "mailbox_with_mail": "📬", "mask": "😷", "medal_sports": "🏅", "mega": "📣", "memo": "📝",
    "microphone": "🎤", "moneybag": "💰", "moon": "🌙", "muscle": "💪", "musical_note": "🎵",
    "mute": "🔇", "new": "🆕", "new_moon": "🌑", "newspaper": "📰", "newspaper_roll": "🗞️",
    "ng": "🆖", "nine": "9️⃣", "no_bell": "🔕", "no_entry": "⛔", "no_good": "🙅", "notes": "🎶",
    "ocean": "🌊", "office": "🏢", "ok": "🆗", "ok_hand": "👌", "ok_woman": "🙆", "on": "🔛",
    "one": "1️⃣", "open_file_folder": "📂", "orange_circle": "🟠", "orange_square": "🟧",
    "outbox_tray": "📤", "package": "📦", "page_facing_up": "📄", "partly_sunny": "⛅",
    "pause_button": "⏸️", "pencil": "📝", "pencil2": "✏️", "pensive": "😔", "phone": "☎️",
    "pill": "💊", "pizza": "🍕", "point_down": "👇", "point_left": "👈", "point_right": "👉",
    "point_up": "☝️", "point_up_2": "👆", "poop": "💩", "pound": "💷", "pray": "🙏",
    "printer": "🖨️", "punch": "👊", "purple_circle": "🟣", "purple_square": "🟪", "pushpin": "📌",
    "question": "❓", "rabbit": "🐰", "radio_button": "🔘", "radioactive": "☢️", "rage": "😡",
    "rain_cloud": "🌧️", "rainbow": "🌈", "raised_hands": "🙌", "raising_hand": "🙋",
    "record_button": "⏺️", "recycle": "♻️", "red_car": "🚗", "red_circle": "🔴",
    "red_square": "🟥", "relieved": "😌", "repeat": "🔁", "rewind": "⏪", "robot": "🤖",
    "rocket": "🚀", "roll_eyes": "🙄", "rose": "🌹", "rotating_light": "🚨", "ru": "🇷🇺",
    "running": "🏃", "satellite": "📡", "scissors": "✂️", "scream": "😱", "see_no_evil": "🙈",
    "seven": "7️⃣", "shell": "🐚", "shield": "🛡️", "ship": "🚢", "six": "6️⃣", "skull": "💀",
    "sleeping": "😴", "smile": "😄", "smiley": "😃", "smirk": "😏", "snowflake": "❄️",
    "snowman": "⛄", "sob": "😭", "soccer": "⚽", "soon": "🔜", "sos": "🆘", "sound": "🔉",
    "speak_no_evil": "🙊", "speaker": "🔈", "speech_balloon": "💬", "spiral_calendar": "🗓️",
    "star": "⭐", "star2": "🌟", "stars": "🌠", "stop_button": "⏹️", "stop_sign": "🛑",
    "stopwatch": "⏱️", "sun_behind_large_cloud": "🌥️", "sun_behind_rain_cloud": "🌦️",
    "sun_behind_small_cloud": "🌤️", "sun_with_face": "🌞", "sunflower": "🌻", "sunglasses": "😎",
    "sunny": "☀️", "sunrise": "🌅", "sweat": "😓", "sweat_drops": "💦", "sweat_smile": "😅",
    "tada": "🎉", "tea": "🍵", "telephone": "☎️", "thermometer": "🌡️", "thinking": "🤔",
    "thought_balloon": "💭", "three": "3️⃣", "thumbsdown": "👎", "thumbsup": "👍",
    "tickets": "🎟️", "timer_clock": "⏲️", "toilet": "🚽", "tomato": "🍅", "top": "🔝",
    "tophat": "🎩", "traffic_light": "🚥", "train": "🚋", "train2": "🚆", "tram": "🚊",
    "triumph": "😤", "trophy": "🏆", "truck": "🚚", "tv": "📺", "two": "2️⃣", "uk": "🇬🇧",
    "umbrella": "☔", "unamused": "😒", "unlock": "🔓", "up": "🆙", "us": "🇺🇸", "v": "✌️",
    "vs": "🆚", "walking": "🚶", "waning_crescent_moon": "🌘", "waning_gibbous_moon": "🌖",
    "warning": "⚠️", "wastebasket": "🗑️", "watch": "⌚", "wave": "👋",
    "waxing_crescent_moon": "🌒", "waxing_gibbous_moon": "🌔", "weary": "😩", "whale": "🐳",
    "wheelchair": "♿", "white_check_mark": "✅", "white_circle": "⚪", "wind_face": "🌬️",
    "wink": "😉", "worried": "😟", "wrench": "🔧", "x": "❌", "yellow_circle": "🟡",
    "yellow_heart": "💛", "yellow_square": "🟨", "yen": "💴", "yum": "😋", "zap": "⚡",
    "zero": "0️⃣", "zzz": "💤", "+1": "👍", "-1": "👎", "100": "💯",
  ]
}
