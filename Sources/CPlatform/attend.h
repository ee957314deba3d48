/// The command that is attended (attend.c), and the terminal of its own that it may have (relay.c).
#ifndef ATTEND_H
#define ATTEND_H

#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct attended {
  /// The command, to which signals are passed on; 0 without one.
  volatile pid_t command;
  /// The child of this process: the command, or the process that leads its terminal.
  pid_t child;
  /// How it has ended, as of waitpid(2).
  int status;
  int has_ended;
  /// A pipe to which handlers of signals write.
  int wake[2];
  /// The pipe that is between the command and its standard error; −1 without one.
  int errors;
  /// Whether standard output goes through it too.
  int has_output;
  /// The other side of the terminal of the command; −1 without one.
  int master;
  /// The pipe from the process that leads the terminal.
  int states;
  /// The window has another size.
  volatile sig_atomic_t is_resized;
  /// This process was continued.
  volatile sig_atomic_t is_continued;
};

extern struct attended attended;

/// Writes all bytes; returns 0 or −1.
int attended_write(int file, const uint8_t *bytes, size_t count);

/// Opens a terminal like the one of this process; returns its inner side, or −1 if there is to be none.
int attended_open_terminal(void);

/// Makes the calling process the leader of a terminal, and returns in a child of it that is to become the command.
void attended_lead_terminal(int slave, int states, int report);

/// Reads the number of the command from the leader.
void attended_take_command(void);

/// Passes keys on as they are; when the job is in the background, nothing is read.
void attended_enter_raw(void);

/// Looks whether the command has stopped or ended, and whether the window has another size.
void attended_look_at_terminal(void);

/// Passes on what the command has written to its terminal; returns the number of bytes.
size_t attended_take_terminal(uint8_t *bytes, size_t capacity);

/// What is to be waited for; returns for how many milliseconds at most, or −1.
int attended_poll_terminal(struct pollfd *outer, struct pollfd *inner);

/// Passes typed bytes on.
void attended_type(const struct pollfd *outer, const struct pollfd *inner);

/// Gives the terminal of this process back as it was.
void attended_close_terminal(void);

#endif
