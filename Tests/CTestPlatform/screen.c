#include "CTestPlatform.h"

#include <stdlib.h>
#include <vterm.h>

struct test_screen {
  VTerm *terminal;
  VTermScreen *screen;
  struct test_modes modes;
};

static int property_changed(VTermProp property, VTermValue *value, void *user) {
  struct test_screen *self = user;
  switch (property) {
    case VTERM_PROP_CURSORVISIBLE: self->modes.cursor_visible = value->boolean; break;
    case VTERM_PROP_ALTSCREEN: self->modes.alternate_screen = value->boolean; break;
    case VTERM_PROP_MOUSE: self->modes.mouse = value->number; break;
    case VTERM_PROP_TITLE:
    case VTERM_PROP_ICONNAME: self->modes.titles++; break;
    default: break;
  }
  return 1;
}

static int bell_rung(void *user) {
  struct test_screen *self = user;
  self->modes.bells++;
  return 1;
}

static const VTermScreenCallbacks callbacks = {
    .settermprop = property_changed,
    .bell = bell_rung,
};

struct test_screen *test_screen_make(int columns, int rows) {
  struct test_screen *self = calloc(1, sizeof *self);
  if (!self) abort();
  self->terminal = vterm_new(rows, columns);
  vterm_set_utf8(self->terminal, 1);
  self->screen = vterm_obtain_screen(self->terminal);
  vterm_screen_enable_altscreen(self->screen, 1);
  vterm_screen_set_callbacks(self->screen, &callbacks, self);
  vterm_screen_reset(self->screen, 1);
  self->modes.cursor_visible = true;
  self->modes.titles = 0;
  return self;
}

void test_screen_free(struct test_screen *self) {
  vterm_free(self->terminal);
  free(self);
}

void test_screen_resize(struct test_screen *self, int columns, int rows) {
  vterm_set_size(self->terminal, rows, columns);
}

void test_screen_write(struct test_screen *self, const uint8_t *bytes, size_t count) {
  vterm_input_write(self->terminal, (const char *)bytes, count);
  vterm_screen_flush_damage(self->screen);
}

size_t test_screen_take_answer(struct test_screen *self, uint8_t *bytes, size_t capacity) {
  return vterm_output_read(self->terminal, (char *)bytes, capacity);
}

void test_screen_click(struct test_screen *self, int column, int row, int button) {
  if (!self->modes.mouse) return;
  vterm_mouse_move(self->terminal, row, column, VTERM_MOD_NONE);
  vterm_mouse_button(self->terminal, button, true, VTERM_MOD_NONE);
  vterm_mouse_button(self->terminal, button, false, VTERM_MOD_NONE);
}

static int32_t color(VTermColor color) {
  if (VTERM_COLOR_IS_DEFAULT_FG(&color) || VTERM_COLOR_IS_DEFAULT_BG(&color)) return -1;
  if (VTERM_COLOR_IS_INDEXED(&color)) return color.indexed.idx;
  return 0x1000000 | color.rgb.red << 16 | color.rgb.green << 8 | color.rgb.blue;
}

struct test_cell test_screen_cell(const struct test_screen *self, int column, int row) {
  VTermPos position = {.row = row, .col = column};
  VTermScreenCell cell;
  struct test_cell result = {.foreground = -1, .background = -1, .width = 1};
  if (!vterm_screen_get_cell(self->screen, position, &cell)) return result;
  if (cell.chars[0] == UINT32_MAX) {
    result.character_count = -1;
    return result;
  }
  while (result.character_count < VTERM_MAX_CHARS_PER_CELL && cell.chars[result.character_count]) {
    result.characters[result.character_count] = cell.chars[result.character_count];
    result.character_count++;
  }
  result.width = cell.width;
  result.flags = (cell.attrs.bold ? TEST_CELL_BOLD : 0) |
                 (cell.attrs.underline ? TEST_CELL_UNDERLINE : 0) |
                 (cell.attrs.italic ? TEST_CELL_ITALIC : 0) |
                 (cell.attrs.blink ? TEST_CELL_BLINK : 0) |
                 (cell.attrs.reverse ? TEST_CELL_REVERSE : 0) |
                 (cell.attrs.strike ? TEST_CELL_STRIKE : 0);
  result.foreground = color(cell.fg);
  result.background = color(cell.bg);
  return result;
}

static size_t put_utf8(uint32_t character, uint8_t *text) {
  if (character > 0x10ffff || (character >= 0xd800 && character < 0xe000)) character = 0xfffd;
  if (character < 0x80) {
    text[0] = (uint8_t)character;
    return 1;
  }
  size_t rest = character < 0x800 ? 1 : character < 0x10000 ? 2 : 3;
  static const uint8_t first[] = {0, 0xc0, 0xe0, 0xf0};
  text[0] = first[rest] | (uint8_t)(character >> 6 * rest);
  for (size_t index = 1; index <= rest; index++) {
    text[index] = 0x80 | (character >> 6 * (rest - index) & 0x3f);
  }
  return rest + 1;
}

size_t test_screen_line(const struct test_screen *self, int row, int columns, uint8_t *text) {
  size_t count = 0, end = 0;
  for (int column = 0; column < columns; column++) {
    struct test_cell cell = test_screen_cell(self, column, row);
    // The right half of a wide character.
    if (cell.character_count < 0) continue;
    if (cell.character_count == 0) text[count++] = ' ';
    for (int index = 0; index < cell.character_count; index++) {
      count += put_utf8(cell.characters[index], text + count);
    }
    if (text[count - 1] != ' ') end = count;
  }
  return end;
}

struct test_modes test_screen_modes(const struct test_screen *self) {
  return self->modes;
}

void test_screen_cursor(const struct test_screen *self, int *column, int *row) {
  VTermPos position;
  vterm_state_get_cursorpos(vterm_obtain_state(self->terminal), &position);
  *column = position.col;
  *row = position.row;
}
