#include "CPlatform.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <time.h>
#include <unistd.h>

#include "guardian.h"
#include "mark.h"
#include "title.h"

enum {
  LEAVER_LIMIT = 64,
  /// The longest line that is looked at; the end of an activity is shorter than that.
  LINE_LIMIT = 1024,
  CHUNK = 16 * 1024,
  /// The milliseconds in which a widget exits by itself.
  EXIT_TIME = 600,
  /// The milliseconds between two reads, so that a flood costs little.
  READ_PAUSE = 2,
};

/// A widget that has not ended.
struct leaver {
  platform_child child;
  int input;
  int output;
  int errors;
  int group_kill;
  int activities[PLATFORM_ACTIVITY_LIMIT];
  size_t activity_count;
  int hears_expiry;
  /// When it is told that its time has run out, and when it is killed.
  int64_t expiry;
  int64_t end;
  int was_told;
  int was_asked_to_exit;
  int has_ended;
  char line[LINE_LIMIT + 1];
  size_t line_length;
  int skips_line;
};

static struct leaver leavers[LEAVER_LIMIT];
static size_t leaver_count;
static char chunk[CHUNK];

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static void close_end(int *descriptor) {
  if (*descriptor >= 0) close(*descriptor);
  *descriptor = -1;
}

// MARK: - Messages

static const char *skip_spaces(const char *text) {
  while (*text == ' ' || *text == '\t') text++;
  return text;
}

/// The value of a member in a message; NULL if there is none. A quote inside of a string has a backslash
/// before it, so only names and whole strings are found.
static const char *member(const char *message, const char *quoted_name) {
  const char *name = strstr(message, quoted_name);
  if (!name) return NULL;
  const char *colon = skip_spaces(name + strlen(quoted_name));
  return *colon == ':' ? skip_spaces(colon + 1) : NULL;
}

/// The activity that a message ends, or −1.
static int ended_activity(const char *message) {
  static const char method[] = "\"endExpiringActivity\"";
  const char *value = member(message, "\"method\"");
  if (!value || strncmp(value, method, sizeof method - 1) != 0) return -1;
  value = member(message, "\"activity\"");
  if (!value || *value < '0' || *value > '9') return -1;
  int64_t number = 0;
  while (*value >= '0' && *value <= '9' && number <= INT32_MAX) number = number * 10 + (*value++ - '0');
  return number <= INT32_MAX ? (int)number : -1;
}

static void take_line(struct leaver *leaver) {
  leaver->line[leaver->line_length] = 0;
  int activity = ended_activity(leaver->line);
  for (size_t index = 0; index < leaver->activity_count; index++) {
    if (leaver->activities[index] != activity) continue;
    leaver->activities[index] = leaver->activities[--leaver->activity_count];
    return;
  }
}

static void take(struct leaver *leaver, const char *bytes, size_t count) {
  for (size_t index = 0; index < count; index++) {
    if (bytes[index] == '\n') {
      if (!leaver->skips_line) take_line(leaver);
      leaver->line_length = 0;
      leaver->skips_line = 0;
    } else if (leaver->line_length < LINE_LIMIT) {
      leaver->line[leaver->line_length++] = bytes[index];
    } else {
      leaver->skips_line = 1;
    }
  }
}

/// Writes a line; a widget that does not read is not waited for.
static void tell(struct leaver *leaver, const char *line, size_t length) {
  if (leaver->input >= 0) (void)!write(leaver->input, line, length);
}

static void tell_expiry(struct leaver *leaver) {
  static const char head[] =
    "{\"jsonrpc\":\"2.0\",\"method\":\"expiringActivity\",\"params\":{\"activity\":";
  static const char tail[] = ",\"expired\":true}}\n";
  leaver->was_told = 1;
  if (!leaver->hears_expiry) return;
  for (size_t index = 0; index < leaver->activity_count; index++) {
    char line[128];
    char digits[16];
    size_t digit_count = 0;
    int number = leaver->activities[index];
    do digits[digit_count++] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    size_t length = sizeof head - 1;
    memcpy(line, head, length);
    while (digit_count > 0) line[length++] = digits[--digit_count];
    memcpy(line + length, tail, sizeof tail - 1);
    tell(leaver, line, length + sizeof tail - 1);
  }
}

static void ask_to_exit(struct leaver *leaver) {
  static const char line[] = "{\"jsonrpc\":\"2.0\",\"method\":\"shutdown\",\"params\":{}}\n";
  leaver->was_asked_to_exit = 1;
  tell(leaver, line, sizeof line - 1);
  close_end(&leaver->input);
  leaver->end = now() + EXIT_TIME;
}

// MARK: - Processes

/// Ends everything of a widget; `is_gone`: its first process has ended, and its number may be reused.
static void end(struct leaver *leaver, int is_gone) {
  leaver->has_ended = 1;
  close_end(&leaver->input);
  close_end(&leaver->output);
  close_end(&leaver->errors);
  if (!is_gone) {
    (void)kill(-leaver->child.pid, SIGKILL);
    (void)pidfd_send_signal(leaver->child.pidfd, SIGKILL, NULL, 0);
  }
  close_end(&leaver->child.pidfd);
  if (leaver->group_kill >= 0) (void)!write(leaver->group_kill, "1", 1);
  close_end(&leaver->group_kill);
  mark_kill(&leaver->child.run, 1);
}

/// Reads what is there, once; returns the number of bytes.
static size_t drain(int *descriptor) {
  ssize_t length = read(*descriptor, chunk, sizeof chunk);
  if (length > 0) return (size_t)length;
  if (length == 0 || (errno != EAGAIN && errno != EINTR)) close_end(descriptor);
  return 0;
}

/// Does what is due; returns the milliseconds until something else is, or −1 if no widget is left.
static int64_t advance(void) {
  int64_t time = now();
  int64_t next = -1;
  for (size_t index = 0; index < leaver_count; index++) {
    struct leaver *leaver = &leavers[index];
    if (leaver->has_ended) continue;
    if (!leaver->was_asked_to_exit && leaver->activity_count == 0) ask_to_exit(leaver);
    int waits_for_expiry = !leaver->was_asked_to_exit && !leaver->was_told;
    if (waits_for_expiry && time >= leaver->expiry) {
      tell_expiry(leaver);
      waits_for_expiry = 0;
    }
    if (time >= leaver->end) {
      end(leaver, 0);
      continue;
    }
    int64_t rest = (waits_for_expiry ? leaver->expiry : leaver->end) - time;
    if (next < 0 || rest < next) next = rest < 0 ? 0 : rest;
  }
  return next;
}

static void serve(void) {
  static struct pollfd polled[3 * LEAVER_LIMIT];
  int64_t rest;
  while ((rest = advance()) >= 0) {
    for (size_t index = 0; index < leaver_count; index++) {
      struct leaver *leaver = &leavers[index];
      // A descriptor of −1 is ignored.
      int descriptors[3] = {leaver->child.pidfd, leaver->output, leaver->errors};
      for (size_t place = 0; place < 3; place++) {
        polled[3 * index + place] = (struct pollfd){.fd = descriptors[place], .events = POLLIN};
      }
    }
    if (poll(polled, 3 * leaver_count, (int)rest) <= 0) continue;
    size_t count = 0;
    for (size_t index = 0; index < leaver_count; index++) {
      struct leaver *leaver = &leavers[index];
      if (leaver->has_ended) continue;
      if (leaver->output >= 0 && polled[3 * index + 1].revents) {
        size_t length = drain(&leaver->output);
        take(leaver, chunk, length);
        count += length;
      }
      if (leaver->errors >= 0 && polled[3 * index + 2].revents) count += drain(&leaver->errors);
      if (polled[3 * index].revents) end(leaver, 1);
    }
    if (count == 0) continue;
    struct timespec pause = {.tv_nsec = READ_PAUSE * 1000000};
    (void)nanosleep(&pause, NULL);
  }
}

// MARK: - The fork

static int by_number(const void *first, const void *second) {
  return *(const int *)first - *(const int *)second;
}

/// Closes all descriptors but those of the widgets, so that nothing waits for the end of this process:
/// not a terminal that is closed, nor a shell that reads the output of the host.
static void close_others(const int *kept, size_t count) {
  unsigned first = 0;
  for (size_t index = 0; index < count; index++) {
    unsigned number = (unsigned)kept[index];
    if (number > first) (void)close_range(first, number - 1, 0);
    first = number + 1;
  }
  (void)close_range(first, ~0U, 0);
}

/// Runs in the child; only async-signal-safe calls.
static void become_leaver(const int *kept, size_t count) {
  // A signal to the host's group, or the end of its terminal, does not concern it.
  struct sigaction ignore = {.sa_handler = SIG_IGN};
  for (int number = 1; number < NSIG; number++) (void)sigaction(number, &ignore, NULL);
  (void)setsid();
  (void)!chdir("/");
  close_others(kept, count);
  title_set("widget-leaving", "today: leaving");
  serve();
  _exit(0);
}

static int adopt(struct leaver *leaver, const platform_leaver *source, int64_t time) {
  if (source->activity_count > PLATFORM_ACTIVITY_LIMIT || source->child.run == 0) return 0;
  memset(leaver, 0, sizeof *leaver);
  leaver->child = source->child;
  leaver->input = source->input;
  leaver->output = source->output;
  leaver->errors = source->errors;
  leaver->group_kill = source->group_kill;
  memcpy(leaver->activities, source->activities, source->activity_count * sizeof(int));
  leaver->activity_count = source->activity_count;
  leaver->hears_expiry = source->hears_expiry;
  leaver->end = time + source->milliseconds;
  leaver->expiry = leaver->end - source->last_milliseconds;
  take(leaver, (const char *)source->pending, source->pending_count);
  return 1;
}

int platform_leave(const platform_leaver *sources, size_t count) {
  if (count > LEAVER_LIMIT) return E2BIG;
  static int kept[5 * LEAVER_LIMIT];
  size_t kept_count = 0;
  int64_t time = now();
  leaver_count = 0;
  for (size_t index = 0; index < count; index++) {
    struct leaver *leaver = &leavers[leaver_count];
    if (!adopt(leaver, &sources[index], time)) return EINVAL;
    leaver_count++;
    int all[5] = {leaver->child.pidfd, leaver->input, leaver->output, leaver->errors,
                  leaver->group_kill};
    for (size_t place = 0; place < 5; place++) {
      if (all[place] >= 0) kept[kept_count++] = all[place];
    }
  }
  qsort(kept, kept_count, sizeof kept[0], by_number);
  pid_t pid = _Fork();
  if (pid == 0) become_leaver(kept, kept_count);
  if (pid < 0) return errno;
  for (size_t index = 0; index < count; index++) {
    guardian_remove(sources[index].child.pid);
    if (!mark_spare(sources[index].child.run)) return E2BIG;
  }
  return 0;
}
