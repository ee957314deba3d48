#ifndef CTESTPLATFORM_H
#define CTESTPLATFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// What the tests of the program in a terminal need and Swift cannot do itself: forking a session
// with a controlling terminal, and libvterm, whose cells are bit-fields and whose callbacks take
// unions. Functions that can fail return a negative errno.

// MARK: - terminal.c: a pseudo-terminal, and a session on it

/// What a session tells about its program; `value` is a pid, a signal, an exit code or an errno.
enum test_event_kind {
  TEST_EVENT_STARTED = 1,
  TEST_EVENT_STOPPED,
  TEST_EVENT_CONTINUED,
  TEST_EVENT_EXITED,
  TEST_EVENT_KILLED,
  TEST_EVENT_FAILED,
};

struct test_event {
  int32_t kind;
  int32_t value;
};

/// What a session is asked to do; `value` is the signal of TEST_REQUEST_SIGNAL.
enum test_request_kind {
  TEST_REQUEST_FOREGROUND = 1,
  TEST_REQUEST_SIGNAL,
};

/// fork(2), which Swift does not import; only for a process that has one thread.
pid_t test_fork(void);

/// What is to be started. Strings lie one after the other, each with its NUL, because an array of
/// C strings cannot be made in Swift without hand-kept pointers.
struct test_program {
  const char *_Nonnull arguments;
  size_t argument_count;
  const char *_Nonnull environment;
  size_t environment_count;
  const char *_Nonnull directory;
};

/// Opens a pseudo-terminal of the given size and returns its master, close-on-exec and
/// non-blocking. The slave is opened by the session that starts on it.
int test_terminal_open(unsigned short columns, unsigned short rows);

/// Changes the size; the kernel sends SIGWINCH to the foreground.
int test_terminal_resize(int master, unsigned short columns, unsigned short rows);

/// Stops the output of the programs on the terminal, as another program can (tcflow(3)).
int test_terminal_stop(int master);

/// Starts a session leader on the terminal which starts the program in the foreground, as a shell
/// would, and outlives it: a session that ends takes the terminal's settings with it, and with
/// them the evidence of a program that did not put them back.
/// Returns the leader's pid; `*control` becomes a socket that gives `test_event`s and takes
/// `test_event`s of `test_request_kind`. Closing it kills the program and ends the leader.
pid_t test_session_start(int master, const struct test_program *_Nonnull program,
                         int *_Nonnull control);

// MARK: - run.c: a program without a terminal

/// A program whose standard output and error are pipes and which has no terminal at all.
struct test_run {
  pid_t pid;
  int process;
  int output;
  int error;
};

/// Starts the program in a session of its own with an empty standard input; the descriptors of
/// `*run` are close-on-exec and non-blocking, and `process` is a pidfd.
int test_run_start(const struct test_program *_Nonnull program, struct test_run *_Nonnull run);

/// Reaps a process that has ended or is about to: the exit code, or minus the signal.
int test_wait(pid_t pid);

/// Opens a pidfd, which becomes readable when the process ends; Swift sees no such call.
int test_process_open(pid_t pid);

// MARK: - screen.c: libvterm as the terminal

struct test_screen;

enum test_cell_flag {
  TEST_CELL_BOLD = 1,
  TEST_CELL_UNDERLINE = 2,
  TEST_CELL_ITALIC = 4,
  TEST_CELL_BLINK = 8,
  TEST_CELL_REVERSE = 16,
  TEST_CELL_STRIKE = 32,
};

/// A cell without the bit-fields and the union of libvterm's own. A colour is -1 for the
/// terminal's default, 0 to 255 for an index, 0x1000000 + 0xRRGGBB for a direct one.
struct test_cell {
  uint32_t characters[6];
  int32_t character_count;
  int32_t width;
  uint32_t flags;
  int32_t foreground;
  int32_t background;
};

/// What a program has set up in the terminal.
struct test_modes {
  bool cursor_visible;
  bool alternate_screen;
  int32_t mouse;
  int32_t bells;
  int32_t titles;
};

struct test_screen *_Nonnull test_screen_make(int columns, int rows);
void test_screen_free(struct test_screen *_Nonnull screen);
void test_screen_resize(struct test_screen *_Nonnull screen, int columns, int rows);
void test_screen_write(struct test_screen *_Nonnull screen, const uint8_t *_Nonnull bytes,
                       size_t count);

/// Takes what the terminal answers to the program's questions (its type, the cursor's place);
/// returns the number of bytes, 0 when there is nothing more.
size_t test_screen_take_answer(struct test_screen *_Nonnull screen, uint8_t *_Nonnull bytes,
                               size_t capacity);

/// Moves the pointer to a cell and presses and lets go a button: 1 is the left one, 4 and 5 are the
/// wheel. The report, in the protocol that the program asked for, is an answer to be taken.
void test_screen_click(struct test_screen *_Nonnull screen, int column, int row, int button);

/// A `character_count` of -1 marks the right half of a wide character.
struct test_cell test_screen_cell(const struct test_screen *_Nonnull screen, int column, int row);

/// The bytes that a cell can have as UTF-8: VTERM_MAX_CHARS_PER_CELL characters of four.
enum { TEST_CELL_BYTES = 24 };
/// Writes a line as UTF-8, without the spaces at its end; returns the number of bytes. `text` has room for
/// TEST_CELL_BYTES in each column.
size_t test_screen_line(const struct test_screen *_Nonnull screen, int row, int columns,
                        uint8_t *_Nonnull text);
struct test_modes test_screen_modes(const struct test_screen *_Nonnull screen);
void test_screen_cursor(const struct test_screen *_Nonnull screen, int *_Nonnull column,
                        int *_Nonnull row);

// MARK: - kernel.c

/// The version of Landlock that the kernel has, or a negative errno.
int test_landlock_version(void);

/// Whether a descriptor that a program had kept by `keep` stays open when the program has closed its own, and is closed
/// when the program is killed; 0 if both hold, or else the number of the step that failed.
int test_outlive(pid_t (*_Nonnull keep)(const int *_Nonnull descriptors, size_t count));

/// What a process can do.
enum {
  TEST_CAN_READ = 1,
  TEST_CAN_WRITE = 2,
  TEST_CAN_CHANGE = 4,
  TEST_CAN_CONNECT = 8,
  TEST_CAN_SIGNAL = 16,
  TEST_CAN_FORK = 32,
  TEST_CAN_EVADE = 64,
};

/// What a process can do after `confine`, with a folder in which there is a file `file`: bits; 0 too if it could become
/// another program. 255 if `confine` failed, -1 if the process was killed.
int test_abilities(int (*_Nonnull confine)(void), const char *_Nonnull folder);

#endif
