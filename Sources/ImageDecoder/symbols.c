// Pictures of characters, drawn by libchafa (1.8 or later), which is loaded here and not linked.
#include <dlfcn.h>
#include <stdbool.h>

#include "decoder.h"

// The values of chafa-symbol-map.h, chafa-canvas-config.h and chafa-common.h, which are stable.
enum { SPACE = 1 << 0, SOLID = 1 << 1, BLOCK = 1 << 3, QUAD = 1 << 7, HALF = 3 << 8, ASCII = 1 << 14 };
enum { TRUECOLOR = 0, INDEXED_256 = 1, INDEXED_16 = 3, FGBG = 5, INDEXED_8 = 6 };
enum { RGBA_UNASSOCIATED = 4, RGB = 8 };

typedef struct library {
  void *(*map_new)(void);
  void (*map_add)(void *, int);
  void (*map_unref)(void *);
  void *(*config_new)(void);
  void (*config_unref)(void *);
  void (*set_geometry)(void *, int, int);
  void (*set_mode)(void *, int);
  void (*set_map)(void *, const void *);
  void (*set_work)(void *, float);
  void *(*canvas_new)(const void *);
  void (*canvas_unref)(void *);
  void (*draw)(void *, int, const uint8_t *, int, int, int);
  uint32_t (*character)(void *, int, int);
  void (*colors)(void *, int, int, int *, int *);
  void (*set_threads)(int);
} library;

static library chafa;
static bool is_loaded;

void decoder_load_symbols(void) {
  void *file = dlopen("libchafa.so.0", RTLD_NOW);
  if (file == NULL) return;
  const struct {
    const char *name;
    void **place;
  } symbols[] = {
      {"chafa_symbol_map_new", (void **)&chafa.map_new},
      {"chafa_symbol_map_add_by_tags", (void **)&chafa.map_add},
      {"chafa_symbol_map_unref", (void **)&chafa.map_unref},
      {"chafa_canvas_config_new", (void **)&chafa.config_new},
      {"chafa_canvas_config_unref", (void **)&chafa.config_unref},
      {"chafa_canvas_config_set_geometry", (void **)&chafa.set_geometry},
      {"chafa_canvas_config_set_canvas_mode", (void **)&chafa.set_mode},
      {"chafa_canvas_config_set_symbol_map", (void **)&chafa.set_map},
      {"chafa_canvas_config_set_work_factor", (void **)&chafa.set_work},
      {"chafa_canvas_new", (void **)&chafa.canvas_new},
      {"chafa_canvas_unref", (void **)&chafa.canvas_unref},
      {"chafa_canvas_draw_all_pixels", (void **)&chafa.draw},
      {"chafa_canvas_get_char_at", (void **)&chafa.character},
      {"chafa_canvas_get_raw_colors_at", (void **)&chafa.colors},
      {"chafa_set_n_threads", (void **)&chafa.set_threads},
  };
  for (size_t index = 0; index < sizeof symbols / sizeof symbols[0]; index++) {
    *symbols[index].place = dlsym(file, symbols[index].name);
    if (*symbols[index].place == NULL) return;
  }
  // This process may not start threads.
  chafa.set_threads(1);
  is_loaded = true;
}

static int mode(uint32_t colors) {
  if (colors >= 1u << 24) return TRUECOLOR;
  if (colors >= 256) return INDEXED_256;
  if (colors >= 16) return INDEXED_16;
  return colors >= 8 ? INDEXED_8 : FGBG;
}

static int tags(uint32_t glyphs) {
  if (glyphs == 1) return SPACE | ASCII;
  if (glyphs == 2) return SPACE | SOLID | HALF;
  return SPACE | SOLID | BLOCK | HALF | QUAD;
}

const char *decoder_draw(const decoder_image *image, const decoder_request *request,
                         decoder_cell *cells) {
  if (!is_loaded) return "the package libchafa0 is not installed";
  int columns = (int)request->columns, rows = (int)request->rows;
  void *map = chafa.map_new();
  chafa.map_add(map, tags(request->glyphs));
  void *config = chafa.config_new();
  chafa.set_geometry(config, columns, rows);
  chafa.set_mode(config, mode(request->colors));
  chafa.set_map(config, map);
  chafa.set_work(config, 0.6f);
  void *canvas = chafa.canvas_new(config);
  chafa.draw(canvas, image->channels == 4 ? RGBA_UNASSOCIATED : RGB, image->pixels, image->width,
             image->height, image->stride);
  for (int row = 0; row < rows; row++) {
    for (int column = 0; column < columns; column++, cells++) {
      int foreground = -1, background = -1;
      cells->character = chafa.character(canvas, column, row);
      chafa.colors(canvas, column, row, &foreground, &background);
      cells->foreground = foreground;
      cells->background = background;
    }
  }
  chafa.canvas_unref(canvas);
  chafa.config_unref(config);
  chafa.map_unref(map);
  return NULL;
}
