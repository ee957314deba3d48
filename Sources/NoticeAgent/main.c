// Reports the notifications of the desktop: those that are sent to the daemon of the session, or, where there is none
// and that is wanted, those that are sent to this process, which is the daemon then.
//
//   notice-agent LOCK VERSION [own]     reports until its standard input ends
//   notice-agent --probe                says who shows notifications
//
// Of several processes one reports, that has the lock; the others wait for it. Reports go to standard output, as
// texts that each end with a NUL: their number, a word, and what belongs to it. In the same form it reads from standard
// input what became of a notification that was sent to this process: "closed", its number and the reason, or "acted", its
// number and the key of the action. It never waits for its reader: what has no room in a queue is left out, of which
// "omitted" and a number tell.
#include <CAgent.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "agent.h"

enum { INPUT_LIMIT = 4096 };

/// How long a daemon that has asked for the name, and does not wait for it, has to ask again.
static const uint64_t hold_off = 10 * 1000 * 1000;
/// How long the bus has for an answer, in microseconds.
static const uint64_t call_timeout = 5 * 1000 * 1000;
/// How long the reader has for the last words, in milliseconds.
static const int finish_patience = 1000;

/// Until when this process does not ask for the name, and when it looks again whether it can; UINT64_MAX for never.
static uint64_t held_until, next_look = UINT64_MAX;

_Noreturn void fail(const char *what, int error) {
  char words[512];
  (void)snprintf(words, sizeof words, "the session bus: %s: %s", what, strerror(-error));
  send_state("absent", words);
  record_finish(finish_patience);
  _exit(EXIT_BUS);
}

static uint64_t now(void) {
  struct timespec time;
  (void)clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000 * 1000 + (uint64_t)time.tv_nsec / 1000;
}

static void set_text(char *place, size_t space, const char *text) {
  (void)snprintf(place, space, "%s", text);
}

// MARK: - The bus

sd_bus *connect_bus(bool is_monitor) {
  sd_bus *bus = NULL;
  const char *address = getenv("DBUS_SESSION_BUS_ADDRESS");
  if (address == NULL) fail("there is no address", -ENOENT);
  int result = sd.new_bus(&bus);
  if (result >= 0) result = sd.set_address(bus, address);
  if (result >= 0) result = sd.set_bus_client(bus, 1);
  if (result >= 0 && is_monitor) result = sd.set_monitor(bus, 1);
  if (result >= 0) result = sd.set_call_timeout(bus, call_timeout);
  if (result >= 0) result = sd.start(bus);
  if (result < 0) fail("could not connect", result);
  return bus;
}

sd_bus_message *ask_bus(agent *agent, const char *member, const char *text) {
  sd_error error = {0};
  sd_bus_message *answer = NULL;
  int result = text == NULL ? sd.call_method(agent->bus, BUS, BUS_PATH, BUS, member, &error, &answer, "")
                            : sd.call_method(agent->bus, BUS, BUS_PATH, BUS, member, &error,
                                             &answer, "s", text);
  bool is_answer = error.name != NULL;
  sd.error_free(&error);
  if (result < 0 && !is_answer) fail(member, result);
  return result < 0 ? NULL : answer;
}

/// Asks who has the name; the text is empty if nobody has.
static void ask_owner(agent *agent, char *place, size_t space) {
  sd_bus_message *answer = ask_bus(agent, "GetNameOwner", NOTIFICATIONS);
  const char *owner = NULL;
  if (answer == NULL || sd.read(answer, "s", &owner) <= 0) owner = "";
  set_text(place, space, owner);
  if (answer != NULL) (void)sd.unref(answer);
}

/// Names the program that has a name on the bus; leaves the place as it is if that is not known.
static void ask_program(agent *agent, const char *owner, char *place, size_t space) {
  sd_bus_message *answer = ask_bus(agent, "GetConnectionUnixProcessID", owner);
  uint32_t process = 0;
  if (answer == NULL || sd.read(answer, "u", &process) <= 0) process = 0;
  if (answer != NULL) (void)sd.unref(answer);
  char path[64], name[64];
  (void)snprintf(path, sizeof path, "/proc/%u/comm", process);
  FILE *file = process != 0 ? fopen(path, "re") : NULL;
  if (file == NULL) return;
  if (fgets(name, sizeof name, file) != NULL) {
    name[strcspn(name, "\n")] = 0;
    if (name[0] != 0) set_text(place, space, name);
  }
  (void)fclose(file);
}

/// Whether the bus can start a daemon, and there is a screen for it.
static bool can_be_started(agent *agent) {
  if (getenv("DISPLAY") == NULL && getenv("WAYLAND_DISPLAY") == NULL) return false;
  sd_bus_message *answer = ask_bus(agent, "ListActivatableNames", NULL);
  const char *name;
  bool is_listed = false;
  if (answer == NULL) return false;
  if (sd.enter(answer, 'a', "s") > 0) {
    while (!is_listed && sd.read(answer, "s", &name) > 0) {
      is_listed = strcmp(name, NOTIFICATIONS) == 0;
    }
  }
  (void)sd.unref(answer);
  return is_listed;
}

/// Does what the owner of the name asks for: listens to it, or is it.
static void follow_owner(agent *agent) {
  next_look = UINT64_MAX;
  if (agent->owner[0] == 0 && agent->may_own && !can_be_started(agent)) {
    if (now() < held_until) {
      next_look = held_until;
      // Another one may have been quicker, of which a signal tells.
    } else if (sd.request_name(agent->bus, NOTIFICATIONS, NAME_ALLOW_REPLACEMENT) >= 0) {
      set_text(agent->owner, sizeof agent->owner, agent->name);
    }
  }
  sd_id id = {0};
  (void)sd.bus_id(agent->bus, &id);
  if (is_daemon(agent)) {
    set_text(agent->scope, sizeof agent->scope, "own");
  } else {
    (void)snprintf(agent->scope, sizeof agent->scope, "%02x%02x%02x%02x%02x%02x%s", id.bytes[0],
                   id.bytes[1], id.bytes[2], id.bytes[3], id.bytes[4], id.bytes[5], agent->owner);
  }
  watch_start(agent, !is_daemon(agent));
  if (is_daemon(agent)) {
    send_state("own", "");
  } else {
    send_state(agent->owner[0] == 0 ? "idle" : "watching", agent->owner);
  }
}

/// Gives the name to a daemon that has asked for it.
static void give_back(agent *agent) {
  // One that has got the name already is told of by a signal.
  char owner[sizeof agent->owner];
  ask_owner(agent, owner, sizeof owner);
  if (strcmp(owner, agent->name) != 0) return;
  (void)sd.release_name(agent->bus, NOTIFICATIONS);
  held_until = now() + hold_off;
}

static void take(agent *agent, sd_bus_message *message) {
  uint8_t type = 0;
  if (sd.type(message, &type) < 0) return;
  const char *member = sd.member(message), *interface = sd.interface(message);
  if (type == MESSAGE_CALL) {
    daemon_take(agent, message);
  } else if (type == MESSAGE_SIGNAL && member != NULL && interface != NULL &&
             strcmp(interface, BUS) == 0 && strcmp(member, "NameOwnerChanged") == 0) {
    const char *name, *before, *after;
    if (sd.read(message, "sss", &name, &before, &after) <= 0) return;
    if (strcmp(name, NOTIFICATIONS) != 0 || strcmp(after, agent->owner) == 0) return;
    // The answers to what was sent to a daemon that is being started come from its new owner.
    if (agent->owner[0] != 0) watch_forget();
    set_text(agent->owner, sizeof agent->owner, after);
    follow_owner(agent);
  }
}

/// Takes all messages that have come.
static void process(agent *agent) {
  bool has_more = true;
  while (has_more) {
    has_more = false;
    for (int index = 0; index < 2; index++) {
      sd_bus *bus = index == 0 ? agent->bus : agent->monitor;
      sd_bus_message *message = NULL;
      if (bus == NULL) continue;
      int result = sd.process(bus, &message);
      if (result < 0) fail("the connection has ended", result);
      if (result == 0) continue;
      has_more = true;
      if (message == NULL) continue;
      if (index == 0) {
        take(agent, message);
      } else if (watch_take(agent, message)) {
        give_back(agent);
      }
      (void)sd.unref(message);
    }
  }
}

// MARK: - What the program that has started this one says

/// Reads what became of notifications; ends the process with its input.
static void read_input(agent *agent) {
  static char input[INPUT_LIMIT];
  static size_t count;
  ssize_t part = read(STDIN_FILENO, input + count, sizeof input - count);
  if (part < 0 && (errno == EINTR || errno == EAGAIN)) return;
  if (part <= 0) _exit(0);
  count += (size_t)part;
  while (true) {
    char *fields[4];
    char *rest = input;
    int found = 0;
    for (; found < 4; found++) {
      char *end = memchr(rest, 0, (size_t)(input + count - rest));
      if (end == NULL) break;
      fields[found] = rest;
      rest = end + 1;
    }
    if (found < 4) break;
    uint32_t id = (uint32_t)strtoul(fields[2], NULL, 10);
    if (is_daemon(agent) && strcmp(fields[1], "closed") == 0) {
      daemon_tell_closed(agent, id, (uint32_t)strtoul(fields[3], NULL, 10));
    } else if (is_daemon(agent) && strcmp(fields[1], "acted") == 0) {
      daemon_tell_acted(agent, id, fields[3]);
    }
    count -= (size_t)(rest - input);
    memmove(input, rest, count);
  }
  if (count == sizeof input) _exit(2);
}

/// A file by which the thread that looks after the input learns that the lock was taken.
static int taken_event = -1;

/// Ends the process if the one that has started it ends while it waits for the lock.
static void *end_with_input(void *unused) {
  (void)unused;
  struct pollfd files[] = {{.fd = STDIN_FILENO}, {.fd = taken_event, .events = POLLIN}};
  while (files[1].revents == 0) {
    (void)poll(files, 2, -1);
    if (files[0].revents != 0) _exit(0);
  }
  return NULL;
}

/// Waits until this is the only process that reports.
static void wait_for_lock(const char *path) {
  int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file < 0) {
    send_state("absent", strerror(errno));
    record_finish(finish_patience);
    _exit(1);
  }
  if (flock(file, LOCK_EX | LOCK_NB) == 0) return;
  send_state("waiting", "");
  pthread_t thread;
  taken_event = eventfd(0, EFD_CLOEXEC);
  if (pthread_create(&thread, NULL, end_with_input, NULL) != 0) _exit(1);
  while (flock(file, LOCK_EX) != 0) {
    if (errno != EINTR) _exit(1);
  }
  uint64_t one = 1;
  if (write(taken_event, &one, sizeof one) != sizeof one) _exit(1);
  (void)pthread_join(thread, NULL);
}

// MARK: -

static int earlier(int left, int right) { return left < 0 ? right : right < 0 || left < right ? left : right; }

/// The milliseconds until a time of sd-bus; -1 for never.
static int wait_until(uint64_t time) {
  if (time == UINT64_MAX) return -1;
  uint64_t present = now();
  if (time <= present) return 0;
  uint64_t wait = (time - present + 999) / 1000;
  return wait > 3600 * 1000 ? 3600 * 1000 : (int)wait;
}

static void wait_for_messages(agent *agent) {
  sd_bus *buses[] = {agent->bus, agent->monitor};
  struct pollfd files[4] = {{.fd = STDIN_FILENO, .events = POLLIN}};
  int wait = -1;
  for (int index = 0; index < 2; index++) {
    uint64_t time = UINT64_MAX;
    files[index + 1].fd = sd.get_fd(buses[index]);
    files[index + 1].events = (short)sd.get_events(buses[index]);
    (void)sd.get_timeout(buses[index], &time);
    wait = earlier(wait, wait_until(time));
  }
  wait = earlier(wait, wait_until(next_look));
  files[3] = (struct pollfd){.fd = record_is_waiting() ? STDOUT_FILENO : -1, .events = POLLOUT};
  if (poll(files, 4, wait) < 0 && errno != EINTR) _exit(1);
  if (files[3].revents != 0) record_flush();
  if (files[0].revents != 0) read_input(agent);
  if (now() >= next_look) {
    next_look = UINT64_MAX;
    if (agent->owner[0] == 0) follow_owner(agent);
  }
}

int main(int count, char **words) {
  // What others are told is in no core.
  agent_become_private();
  (void)signal(SIGPIPE, SIG_IGN);
  // A large message goes back to the system when it was read, also if there were others before.
  (void)mallopt(M_MMAP_THRESHOLD, 128 * 1024);
  (void)mallopt(M_TRIM_THRESHOLD, 128 * 1024);
  agent_set_nonblocking(STDOUT_FILENO);
  bool is_probe = count == 2 && strcmp(words[1], "--probe") == 0;
  if (!is_probe && count < 3) {
    (void)fputs("usage: notice-agent LOCK VERSION [own]\n", stderr);
    return 64;
  }
  const char *fault = sd_load();
  if (fault != NULL) {
    send_state("absent", fault);
    record_finish(finish_patience);
    return 0;
  }
  if (!is_probe) wait_for_lock(words[1]);
  agent agent = {
      .may_own = count > 3 && strcmp(words[3], "own") == 0,
      .version = is_probe ? "" : words[2],
      .bus = connect_bus(false),
  };
  const char *name;
  int result = sd.unique_name(agent.bus, &name);
  if (result < 0) fail("could not connect", result);
  set_text(agent.name, sizeof agent.name, name);
  if (is_probe) {
    ask_owner(&agent, agent.owner, sizeof agent.owner);
    char program[256];
    set_text(program, sizeof program, agent.owner);
    if (agent.owner[0] != 0) ask_program(&agent, agent.owner, program, sizeof program);
    send_state(agent.owner[0] == 0 ? "idle" : "watching", program);
    record_finish(finish_patience);
    return 0;
  }
  sd_bus_message *answer = ask_bus(&agent, "AddMatch",
                                   "type='signal',sender='" BUS "',interface='" BUS
                                   "',member='NameOwnerChanged',arg0='" NOTIFICATIONS "'");
  if (answer != NULL) (void)sd.unref(answer);
  ask_owner(&agent, agent.owner, sizeof agent.owner);
  follow_owner(&agent);
  while (true) {
    process(&agent);
    wait_for_messages(&agent);
  }
}
