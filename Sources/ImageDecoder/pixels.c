// Decoding with gdk-pixbuf, which is loaded here and not linked, so that the program needs no graphics
// library to be installed.
#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

#include "decoder.h"

typedef struct library {
  void *(*loader_new)(const char *, void **);
  int (*loader_write)(void *, const uint8_t *, size_t, void **);
  int (*loader_close)(void *, void **);
  void *(*loader_pixbuf)(void *);
  void (*loader_set_size)(void *, int, int);
  void *(*scale)(const void *, int, int, int);
  void *(*orient)(void *);
  uint8_t *(*pixels)(const void *);
  int (*width)(const void *);
  int (*height)(const void *);
  int (*stride)(const void *);
  int (*channels)(const void *);
  unsigned long (*connect)(void *, const char *, void (*)(void), void *, void *, int);
  void *(*ref)(void *);
  void (*unref)(void *);
} library;

static library pixbuf;
static bool is_loaded;

static const char *const format_names[] = {NULL, "png", "jpeg", "gif", "webp"};
static const char *const absences[] = {
    NULL,
    "libgdk-pixbuf-2.0-0 cannot decode PNG here",
    "libgdk-pixbuf-2.0-0 cannot decode JPEG here",
    "libgdk-pixbuf-2.0-0 cannot decode GIF here",
    "WebP needs the package webp-pixbuf-loader",
};

void decoder_load_images(void) {
  void *file = dlopen("libgdk_pixbuf-2.0.so.0", RTLD_NOW | RTLD_GLOBAL);
  if (file == NULL) return;
  const struct {
    const char *name;
    void **place;
  } symbols[] = {
      {"gdk_pixbuf_loader_new_with_type", (void **)&pixbuf.loader_new},
      {"gdk_pixbuf_loader_write", (void **)&pixbuf.loader_write},
      {"gdk_pixbuf_loader_close", (void **)&pixbuf.loader_close},
      {"gdk_pixbuf_loader_get_pixbuf", (void **)&pixbuf.loader_pixbuf},
      {"gdk_pixbuf_loader_set_size", (void **)&pixbuf.loader_set_size},
      {"gdk_pixbuf_scale_simple", (void **)&pixbuf.scale},
      {"gdk_pixbuf_apply_embedded_orientation", (void **)&pixbuf.orient},
      {"gdk_pixbuf_get_pixels", (void **)&pixbuf.pixels},
      {"gdk_pixbuf_get_width", (void **)&pixbuf.width},
      {"gdk_pixbuf_get_height", (void **)&pixbuf.height},
      {"gdk_pixbuf_get_rowstride", (void **)&pixbuf.stride},
      {"gdk_pixbuf_get_n_channels", (void **)&pixbuf.channels},
      {"g_signal_connect_data", (void **)&pixbuf.connect},
      {"g_object_ref", (void **)&pixbuf.ref},
      {"g_object_unref", (void **)&pixbuf.unref},
  };
  for (size_t index = 0; index < sizeof symbols / sizeof symbols[0]; index++) {
    *symbols[index].place = dlsym(file, symbols[index].name);
    if (*symbols[index].place == NULL) return;
  }
  is_loaded = true;
  // The decoders are modules, which are loaded when they are used first.
  for (int format = 1; format <= 4; format++) {
    void *loader = pixbuf.loader_new(format_names[format], NULL);
    if (loader == NULL) continue;
    (void)pixbuf.loader_close(loader, NULL);
    pixbuf.unref(loader);
  }
}

typedef struct progress {
  const decoder_request *request;
  bool is_other_size;
} progress;

/// Called when the decoder knows the size, before it decodes.
static void size_prepared(void *loader, int width, int height, void *context) {
  progress *state = context;
  const decoder_request *request = state->request;
  if (width <= 0 || height <= 0 || (uint32_t)width != request->width ||
      (uint32_t)height != request->height) {
    state->is_other_size = true;
    return;
  }
  // The decoder of JPEG makes smaller pictures in less time; twice the size leaves enough to scale.
  uint32_t columns = request->columns * (request->kind == DECODER_SYMBOLS ? 16 : 2);
  uint32_t rows = request->rows * (request->kind == DECODER_SYMBOLS ? 32 : 2);
  if (request->orientation >= 5) {
    uint32_t turned = columns;
    columns = rows;
    rows = turned;
  }
  if (request->format == 2 && columns < request->width && rows < request->height) {
    pixbuf.loader_set_size(loader, (int)columns, (int)rows);
  }
}

const char *decoder_decode(const decoder_request *request, const uint8_t *bytes,
                           decoder_image *image) {
  if (!is_loaded) return "the package libgdk-pixbuf-2.0-0 is not installed";
  if (request->format < 1 || request->format > 4) return "not a known format";
  if (request->width == 0 || request->height == 0 ||
      (uint64_t)request->width * request->height > DECODER_PIXEL_LIMIT) {
    return "too many pixels";
  }
  void *loader = pixbuf.loader_new(format_names[request->format], NULL);
  if (loader == NULL) return absences[request->format];
  progress state = {.request = request};
  void (*handler)(void *, int, int, void *) = size_prepared;
  (void)pixbuf.connect(loader, "size-prepared", (void (*)(void))handler, &state, NULL, 0);
  // In parts, so that a file with another size than its header is given up early.
  size_t part = 16384;
  bool is_whole = true;
  for (size_t start = 0; start < request->byte_count && is_whole; start += part) {
    size_t left = request->byte_count - start;
    is_whole = pixbuf.loader_write(loader, bytes + start, left < part ? left : part, NULL) &&
               !state.is_other_size;
  }
  is_whole = pixbuf.loader_close(loader, NULL) && is_whole;
  void *found = state.is_other_size ? NULL : pixbuf.loader_pixbuf(loader);
  const char *fault = NULL;
  if (state.is_other_size) {
    fault = "its size is not that of its header";
  } else if (found == NULL || !is_whole) {
    fault = "it is damaged or cut short";
  } else {
    // Only if the header was read like that, since the size of the answer depends on it.
    image->pixbuf = request->orientation > 1 ? pixbuf.orient(found) : pixbuf.ref(found);
    if (image->pixbuf == NULL) {
      pixbuf.unref(loader);
      return "not enough memory";
    }
    found = image->pixbuf;
    image->pixels = pixbuf.pixels(found);
    image->width = pixbuf.width(found);
    image->height = pixbuf.height(found);
    image->stride = pixbuf.stride(found);
    image->channels = pixbuf.channels(found);
    if (image->channels != 3 && image->channels != 4) {
      decoder_release(image);
      fault = "its pixels are of an unknown kind";
    }
  }
  pixbuf.unref(loader);
  return fault;
}

const char *decoder_scale(const decoder_image *image, int width, int height, uint8_t *pixels) {
  // GDK_INTERP_BILINEAR averages when it makes a picture smaller.
  void *scaled = pixbuf.scale(image->pixbuf, width, height, 2);
  if (scaled == NULL) return "not enough memory";
  const uint8_t *source = pixbuf.pixels(scaled);
  int stride = pixbuf.stride(scaled);
  int channels = pixbuf.channels(scaled);
  for (int row = 0; row < height; row++) {
    const uint8_t *from = source + (size_t)row * (size_t)stride;
    for (int column = 0; column < width; column++, from += channels, pixels += 4) {
      memcpy(pixels, from, 3);
      pixels[3] = channels == 4 ? from[3] : 255;
    }
  }
  pixbuf.unref(scaled);
  return NULL;
}

void decoder_release(decoder_image *image) {
  if (image->pixbuf != NULL) pixbuf.unref(image->pixbuf);
  image->pixbuf = NULL;
}
