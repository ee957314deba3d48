#include "leavers.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/pidfd.h>
#include <time.h>
#include <unistd.h>

#include "mark.h"

enum {
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

void platform_end_left(platform_child *child, int group_kill) {
  // If its first process has ended, its number may be reused.
  struct pollfd ended = {.fd = child->pidfd, .events = POLLIN};
  if (child->pidfd >= 0 && poll(&ended, 1, 0) == 0) {
    (void)kill(-child->pid, SIGKILL);
    (void)pidfd_send_signal(child->pidfd, SIGKILL, NULL, 0);
  }
  close_end(&child->pidfd);
  if (group_kill >= 0) {
    (void)!write(group_kill, "1", 1);
    close(group_kill);
  }
  mark_adopt(child->run);
  mark_kill(&child->run, 1);
}

static void close_streams(struct leaver *leaver) {
  close_end(&leaver->input);
  close_end(&leaver->output);
  close_end(&leaver->errors);
}

/// Ends everything of a widget.
static void end(struct leaver *leaver) {
  leaver->has_ended = 1;
  close_streams(leaver);
  platform_end_left(&leaver->child, leaver->group_kill);
  leaver->group_kill = -1;
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
      end(leaver);
      continue;
    }
    int64_t rest = (waits_for_expiry ? leaver->expiry : leaver->end) - time;
    if (next < 0 || rest < next) next = rest < 0 ? 0 : rest;
  }
  return next;
}

void leavers_serve(void) {
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
      if (polled[3 * index].revents) end(leaver);
    }
    if (count == 0) continue;
    struct timespec pause = {.tv_nsec = READ_PAUSE * 1000000};
    (void)nanosleep(&pause, NULL);
  }
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

int leavers_adopt(const platform_leaver *sources, size_t count) {
  if (count > LEAVER_LIMIT) return 0;
  int64_t time = now();
  for (leaver_count = 0; leaver_count < count; leaver_count++) {
    if (!adopt(&leavers[leaver_count], &sources[leaver_count], time)) return 0;
  }
  return 1;
}

void leavers_close_streams(void) {
  for (size_t index = 0; index < leaver_count; index++) close_streams(&leavers[index]);
}

void leavers_end(void) {
  for (size_t index = 0; index < leaver_count; index++) end(&leavers[index]);
}
