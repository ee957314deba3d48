import WidgetKitCore
import WidgetPlatform

/// The settings of how the page looks and which keys it has.
nonisolated enum ScreenTable {
  /// Where the bindings of keys are.
  static let keysPath = MemberPath("keys")

  static let all: [Setting] = [
    Setting(
      "theme",
      .text(upTo: 64),
      \.screen.theme,
      .atOnce,
      "the name of a [theme](#themes). `auto` is `dark` or `light`, as the background of the terminal is: it is asked for it, and until it answers, `COLORFGBG` says"
    ),
    Setting(
      "glyphs",
      .choice,
      \.screen.glyphs,
      .atOnce,
      "the characters of lines and bars; `console` has only those of the Linux console's font. With `auto`, as the terminal and its locale allow; where only ASCII can be shown, this is used"
    ),
    Setting(
      "motion",
      .truth,
      \.screen.animates,
      .atOnce,
      "whether changes of a card's height are animated, numbers that change are emphasized for a moment, bars and "
        + "large numbers [glide](#motion), and texts take turns in one place"
    ),
    Setting(
      "suspendWhenUnfocused",
      .truth,
      \.screen.suspendsWhenUnfocused,
      .atOnce,
      "whether all views disappear, and widgets are suspended, while another window has the focus, where the terminal reports that"
    ),
    Setting(
      "keys",
      .table(of: .command, by: "key", upTo: 100, where: KeyName.isKey),
      \.screen.keys,
      .atOnce,
      "the command of a key, by its name: `{ \"ctrl-r\": \"refreshAll\" }`; see [Other keys](#other-keys)",
      part: .entry
    ),
    Setting(
      "columns.minimum",
      .whole(16...500),
      \.screen.columnMinimum,
      .atOnce,
      "width of a column, in cells, below which the page has one column fewer"
    ),
    Setting(
      "columns.preferred",
      .whole(16...500),
      \.screen.columnPreferred,
      .atOnce,
      "best width of a column; the page has as many columns as come nearest to it without going below `columns.minimum`"
    ),
    Setting(
      "columns.limit",
      .whole(1...1_000),
      \.screen.columnLimit,
      .atOnce,
      "largest number of columns"
    ),
    Setting(
      "tiles",
      .truth,
      \.screen.tiles,
      .atOnce,
      "whether cards of one or two lines that follow each other stand side by side"
    ),
  ]
}
