/// Messages between the program and the process that decodes images, and the parts of that process.
#ifndef DECODER_H
#define DECODER_H

#include <stddef.h>
#include <stdint.h>

/// Begins every message: "tImg".
#define DECODER_MAGIC 0x676D4974u

/// The longest file and the most pixels that are accepted, whatever a request says.
#define DECODER_BYTE_LIMIT (16u << 20)
#define DECODER_PIXEL_LIMIT (64u << 20)
/// The most pixels and cells of an answer.
#define DECODER_ANSWER_LIMIT (8u << 20)

typedef enum { DECODER_PIXELS = 1, DECODER_SYMBOLS = 2, DECODER_FAILED = 3 } decoder_kind;

/// A request; the bytes of the file follow. All numbers are in the order of the machine.
typedef struct decoder_request {
  uint32_t magic;
  /// DECODER_PIXELS or DECODER_SYMBOLS.
  uint32_t kind;
  /// 1 PNG, 2 JPEG, 3 GIF, 4 WebP.
  uint32_t format;
  /// The size that the header of the file states.
  uint32_t width, height;
  /// The size of the answer in pixels, or in cells for symbols.
  uint32_t columns, rows;
  /// The colours of the terminal: 0, 8, 16, 256 or 16,777,216.
  uint32_t colors;
  /// The characters: 0 all, 1 ASCII, 2 those of the Linux console.
  uint32_t glyphs;
  /// How the picture has to be turned and mirrored, as Exif numbers it: 1 is not at all, from 5 on rows
  /// become columns.
  uint32_t orientation;
  uint32_t byte_count;
} decoder_request;

/// An answer; `byte_count` bytes follow: RGBA, or cells, or a text that says what failed.
typedef struct decoder_answer {
  uint32_t magic;
  uint32_t kind;
  uint32_t width, height;
  uint32_t byte_count;
} decoder_answer;

/// A cell: a character, and its colours; −1 is none.
typedef struct decoder_cell {
  uint32_t character;
  int32_t foreground, background;
} decoder_cell;

/// A decoded image, which belongs to the library.
typedef struct decoder_image {
  void *pixbuf;
  const uint8_t *pixels;
  int width, height, stride, channels;
} decoder_image;

/// Loads the libraries; they cannot be loaded later.
void decoder_load_images(void);
void decoder_load_symbols(void);

/// Decodes a file; returns NULL or what failed.
const char *decoder_decode(const decoder_request *request, const uint8_t *bytes,
                           decoder_image *image);
/// Scales an image to RGBA of `width` × `height`; returns NULL or what failed.
const char *decoder_scale(const decoder_image *image, int width, int height, uint8_t *pixels);
void decoder_release(decoder_image *image);
/// Draws an image with characters; returns NULL or what failed.
const char *decoder_draw(const decoder_image *image, const decoder_request *request,
                         decoder_cell *cells);

/// Gives up everything that decoding does not need; returns 0 or errno.
int decoder_confine(void);

#endif
