// A resident widget that behaves until there is a file called `wild` next to its bundle; from then on
// it does random things from which the host must protect itself.
//
// All processes that it starts keep the bundle's path in their command lines, so that those left behind
// can be found.
#include "reading.h"
#include "request.h"
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char program[4096], wild[4096];
static struct reading reading;
static unsigned state;

static unsigned chance(unsigned times) {
  state = state * 1664525u + 1013904223u;
  return (state >> 8) % times;
}

static void send_line(const char *format, ...) {
  static char line[8192];
  va_list values;
  va_start(values, format);
  int length = vsnprintf(line, sizeof line - 1, format, values);
  va_end(values);
  line[length++] = '\n';
  if (write(STDOUT_FILENO, line, (size_t)length) != length) exit(0);
}

static void push(void) {
  reading_advance(&reading);
  send_line("{\"jsonrpc\":\"2.0\",\"method\":\"setView\",\"params\":{\"view\":{\"type\":\"vstack\","
            "\"children\":[\"%s\",\"%s\"]}}}",
            reading.count, reading.level);
}

/// Continues as an idle process, in a session of its own if `escapes` is set.
static void leave_behind(int escapes) {
  if (fork() != 0) return;
  if (escapes) {
    (void)setsid();
    if (fork() != 0) _exit(0);
  }
  execl(program, program, "stray", (char *)NULL);
  _exit(127);
}

static void fill(size_t count, int descriptor) {
  static char noise[65536];
  memset(noise, 'x', sizeof noise);
  for (size_t sent = 0; sent < count;) {
    ssize_t part = write(descriptor, noise, sizeof noise);
    if (part <= 0) break;
    sent += (size_t)part;
  }
}

static void misbehave(void) {
  switch (chance(16)) {
  case 0: exit(3);
  case 1: abort();
  case 2: *(volatile int *)0 = 1; break;
  case 3: (void)kill(getpid(), SIGSTOP); break;
  case 4: sleep(40); break;
  case 5: send_line("this is no message at all"); break;
  case 6: fill(400 * 1024, STDOUT_FILENO); break;
  case 7: fill(2 << 20, STDERR_FILENO); break;
  case 8: leave_behind(1); break;
  case 9: leave_behind(0); break;
  case 10: for (int index = 0; index < 4000; index++) push(); break;
  case 11: {
    size_t size = (size_t)400 << 20;
    char *memory = malloc(size);
    for (size_t at = 0; memory && at < size; at += 4096) memory[at] = 1;
    sleep(5);
    free(memory);
    break;
  }
  case 12: send_line("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"result\":\"newData\"}}"); break;
  case 13: send_line("{\"jsonrpc\":\"2.0\",\"method\":\"setView\",\"params\":{\"view\":\"\\u001b[2J\"}}"); break;
  case 14: (void)close(STDIN_FILENO); break;
  default: (void)close(STDOUT_FILENO); break;
  }
}

static void answer(const struct request *request) {
  const char *method = request->method;
  if (!request->id[0]) {
    if (strcmp(method, "shutdown") == 0) exit(0);
    return;
  }
  if (strcmp(method, "initialize") == 0) {
    send_line("{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"protocolVersion\":1,\"implements\":["
              "\"viewWillAppear\",\"viewWillDisappear\",\"widgetPerformUpdate\"],\"view\":\"up\"}}",
              request->id);
  } else if (strcmp(method, "widgetPerformUpdate") == 0) {
    send_line("{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"result\":\"newData\",\"view\":\"%s\","
              "\"refreshAfter\":20}}",
              request->id, reading.count);
  } else {
    send_line("{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{}}", request->id);
  }
}

int main(int count, char **arguments) {
  ssize_t length = readlink("/proc/self/exe", program, sizeof program - 16);
  if (length <= 0) return 1;
  // A process that was left behind waits until it is found; ending it is the host's task.
  if (count > 1 && strcmp(arguments[1], "stray") == 0) {
    for (;;) pause();
  }
  strcpy(wild, program);
  *strrchr(wild, '/') = 0;
  strcpy(strrchr(wild, '/'), "/wild");
  state = (unsigned)getpid() * 2654435761u;
  reading = reading_start((unsigned)getpid());
  static char text[262144];
  size_t held = 0;
  struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
  struct stat status;
  int was_wild = 0;
  for (;;) {
    if (poll(&input, 1, 1000) == 0) {
      int is_wild = stat(wild, &status) == 0;
      // The processes that it left behind while it was wild must end with it; then the widget starts
      // again.
      if (was_wild && !is_wild) exit(0);
      was_wild = is_wild;
      if (is_wild && chance(12) == 0) misbehave();
      push();
      continue;
    }
    ssize_t got = read(STDIN_FILENO, text + held, sizeof text - held);
    if (got <= 0) return 0;
    held += (size_t)got;
    char *line = text, *end;
    while ((end = memchr(line, '\n', held - (size_t)(line - text)))) {
      struct request request = request_in(line, end);
      answer(&request);
      line = end + 1;
    }
    held -= (size_t)(line - text);
    memmove(text, line, held);
  }
}
