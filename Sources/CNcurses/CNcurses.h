/// ncursesw for Swift, with `cn_…` functions for macros, globals and variadic functions.
#ifndef CNCURSES_H
#define CNCURSES_H
#define NCURSES_WIDECHAR 1
#include <ncurses.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <wchar.h>

/// Opens a screen that reads `input` and writes `output`; returns 0, or -1 for an unknown terminal.
///
/// The output is not a terminal, so ncurses neither changes settings nor reads the size. Not
/// `initscr`, which exits on errors.
static inline int cn_open_screen(int input, int output) {
  FILE *reader = fdopen(input, "r");
  FILE *writer = fdopen(output, "w");
  if (reader == NULL || writer == NULL) return -1;
  SCREEN *screen = newterm(NULL, writer, reader);
  if (screen == NULL) return -1;
  set_term(screen);
  return 0;
}

/// Asks the terminal for function keys, as its description says. The terminal settings are not changed here,
/// and ncurses reads nothing.
static inline void cn_prepare_input(void) {
  noecho();
  nonl();
  keypad(stdscr, TRUE);
  // A picture is encoded completely, even if keys are pending.
  typeahead(-1);
}

/// Takes `end` off the beginning or the end of a capability of the terminal.
static inline void cn_shorten_capability(const char *_Nonnull name, const char *_Nonnull end) {
  char *text = tigetstr(name);
  if (text == NULL || text == (char *)-1) return;
  size_t length = strlen(text), excess = strlen(end);
  if (length <= excess) return;
  if (strncmp(text, end, excess) == 0) {
    memmove(text, text + excess, length - excess + 1);
  } else if (strcmp(text + length - excess, end) == 0) {
    text[length - excess] = 0;
  }
}

/// Leaves alone what the screen does not need, as a terminal cannot be asked for all of its state and
/// so could not be given back as it was: the second character set, the palette, which the page
/// never changes, and whether the cursor blinks. Call it before the first refresh.
///
/// Not the margins: ncurses moves rows with them, and would take an empty text for one that has moved them.
static inline void cn_spare_terminal(void) {
  static const char *const unused[] = {"enacs", "oc"};
  for (size_t index = 0; index < sizeof unused / sizeof unused[0]; index++) {
    char *text = tigetstr(unused[index]);
    if (text != NULL && text != (char *)-1) text[0] = 0;
  }
  cn_shorten_capability("cnorm", "\033[?12l");
  cn_shorten_capability("cnorm", "\033[34h");
}

/// The text that sets the margins to the whole screen, as the opened screen has sent it; NULL if there is none.
static inline const char *_Nullable cn_whole_margins(void) {
  char *text = tigetstr("csr");
  return text == NULL || text == (char *)-1 ? NULL : tiparm(text, 0, LINES - 1);
}

/// Lets ncurses leave the invisible cursor after the last change, and leave the character set alone.
static inline void cn_prepare_output(void) {
  // Lines are drawn with Unicode or ASCII, never with the other character set of the terminal, which
  // would be left again with each change of attributes: a tenth of all that is sent for a picture.
  cn_shorten_capability("sgr0", "\033(B");
  cn_shorten_capability("sgr0", "\017");
  cn_shorten_capability("sgr", "%?%p9%t\033(0%e\033(B%;");
  cn_shorten_capability("sgr", "%?%p9%t\016%e\017%;");
  leaveok(stdscr, TRUE);
  scrollok(stdscr, FALSE);
  idlok(stdscr, FALSE);
}

/// The cells by which ncurses moves its cursor for a character (wcwidth); -1 if the C library does not know it.
static inline int cn_width(uint32_t code_point) { return wcwidth((wchar_t)code_point); }

/// Enables presses and the wheel, if the terminal has a mouse.
static inline void cn_enable_mouse(void) {
  mouseinterval(0);
  // What is asked for only turns the mouse on and off, which the description of the terminal says how.
  mousemask(BUTTON1_PRESSED | BUTTON1_RELEASED | BUTTON2_PRESSED | BUTTON2_RELEASED
                | BUTTON3_PRESSED | BUTTON3_RELEASED | BUTTON4_PRESSED | BUTTON4_RELEASED
                | BUTTON5_PRESSED | BUTTON5_RELEASED,
            NULL);
}

/// The text of a string capability of the terminal (terminfo), or NULL.
///
/// tigetstr returns the pointer -1 for “not a string capability”, which Swift cannot compare.
static inline const char *_Nullable cn_capability(const char *_Nonnull name) {
  char *text = tigetstr(name);
  return text == (char *)-1 ? NULL : text;
}

/// How many colours and pairs there are (globals).
static inline int cn_colors(void) { return COLORS; }
static inline int cn_color_pairs(void) { return COLOR_PAIRS; }

/// The screen's size as ncurses knows it (globals).
static inline int cn_columns(void) { return COLS; }
static inline int cn_rows(void) { return LINES; }

/// The bits of CellAttributes as attributes of ncurses; the A_ names are macros.
static inline uint32_t cn_attributes(uint16_t bits) {
  attr_t result = A_NORMAL;
  if (bits & 1) result |= A_BOLD;
  if (bits & 2) result |= A_DIM;
  if (bits & 4) result |= A_ITALIC;
  if (bits & 8) result |= A_UNDERLINE;
  if (bits & 32) result |= A_REVERSE;
  return result;
}

/// Puts one character with its marks, at most five code points ended by 0.
///
/// wchar_t has no fixed type in Swift, and stdscr is a global.
static inline void cn_put(int row, int column, const uint32_t *_Nonnull text, uint32_t attributes,
                          int pair) {
  wchar_t wide[CCHARW_MAX + 1] = {0};
  for (int index = 0; index < CCHARW_MAX && text[index] != 0; index++) {
    wide[index] = (wchar_t)text[index];
  }
  cchar_t cell;
  if (setcchar(&cell, wide, attributes, (short)pair, NULL) == OK) {
    mvwadd_wch(stdscr, row, column, &cell);
  }
}

/// A character without marks, with its attributes and its pair of colours.
typedef struct cn_cell {
  uint32_t character;
  uint32_t attributes;
  int32_t pair;
} cn_cell;

/// The most characters that are put at once.
enum { CN_RUN_LIMIT = 128 };

/// Puts up to CN_RUN_LIMIT characters beside each other, each in as many columns as it takes.
///
/// As cn_put for each of them, in a fraction of the time: the characters go to the row without moving the cursor.
static inline void cn_put_run(int row, int column, const cn_cell *_Nonnull cells, int count) {
  cchar_t run[CN_RUN_LIMIT];
  int made = 0;
  for (int index = 0; index < count && index < CN_RUN_LIMIT; index++) {
    const wchar_t text[2] = {(wchar_t)cells[index].character};
    if (setcchar(&run[made], text, cells[index].attributes, (short)cells[index].pair, NULL) == OK) made++;
  }
  mvwadd_wchnstr(stdscr, row, column, run, made);
}

/// Clears the screen at the next refresh. stdscr is a global.
static inline void cn_erase(void) { werase(stdscr); }

/// Writes all changes, and leaves the cursor where it is after the last one.
static inline void cn_refresh(void) {
  wnoutrefresh(stdscr);
  doupdate();
}

/// Writes all changes, and puts the cursor on a cell.
static inline void cn_refresh_at(int row, int column) {
  leaveok(stdscr, FALSE);
  wmove(stdscr, row, column);
  cn_refresh();
  leaveok(stdscr, TRUE);
}

/// Resumes the screen after endwin; the next refresh writes everything.
static inline void cn_resume(void) {
  clearok(curscr, TRUE);
  wnoutrefresh(stdscr);
}

/// Writes everything at the next refresh.
static inline void cn_forget_screen(void) { clearok(curscr, TRUE); }

/// Reads the pixels of a cell, which few terminals tell the system; returns 0 or -1. ioctl is variadic.
static inline int cn_cell_pixels(int descriptor, int *_Nonnull width, int *_Nonnull height) {
  struct winsize size;
  if (ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0) return -1;
  *width = size.ws_xpixel / size.ws_col;
  *height = size.ws_ypixel / size.ws_row;
  return *width > 0 && *height > 0 ? 0 : -1;
}

/// Types a byte at a terminal; returns 0 or -1, as many systems refuse it. ioctl is variadic.
static inline int cn_type(int descriptor, uint8_t byte) { return ioctl(descriptor, TIOCSTI, &byte); }

/// The character of one byte in the locale, or 0 if there is none. wchar.h is in no module of Swift.
static inline uint32_t cn_character(int byte) {
  wint_t character = btowc(byte);
  return character == WEOF ? 0 : (uint32_t)character;
}

#endif
