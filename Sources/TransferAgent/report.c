#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent.h"

void agent_report(const char *format, ...) {
  char line[TEXT_LIMIT + 256];
  va_list values;
  va_start(values, format);
  int count = vsnprintf(line, sizeof line - 1, format, values);
  va_end(values);
  if (count < 0) return;
  if ((size_t)count > sizeof line - 2) count = sizeof line - 2;
  for (int index = 0; index < count; index++) {
    if ((unsigned char)line[index] < ' ' || line[index] == 0x7F) line[index] = ' ';
  }
  line[count++] = '\n';
  for (int sent = 0; sent < count;) {
    ssize_t part = write(STDOUT_FILENO, line + sent, (size_t)(count - sent));
    if (part < 0 && errno == EINTR) continue;
    if (part <= 0) _exit(1);
    sent += (int)part;
  }
}

bool agent_is_abandoned(int milliseconds) {
  struct pollfd end = {.fd = STDOUT_FILENO, .events = 0};
  return poll(&end, 1, milliseconds) > 0 && (end.revents & (POLLERR | POLLHUP | POLLNVAL)) != 0;
}

int64_t agent_output_size(void) {
  struct stat status;
  return fstat(OUTPUT_FILE, &status) == 0 ? status.st_size : 0;
}
