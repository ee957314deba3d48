#ifndef NOTICE_AGENT_AGENT_H
#define NOTICE_AGENT_AGENT_H

#include <stdbool.h>

#include "notification.h"

/// The exit status if the bus cannot be used, or not any more: another process may try again.
enum { EXIT_BUS = 3 };

/// What this process knows of the bus.
typedef struct agent {
  /// The connection over which it speaks, and the one on which it only listens.
  sd_bus *bus, *monitor;
  /// Whether that one listens to the notifications of others, or for a daemon that asks for the name.
  bool watches;
  /// Whether it shows notifications itself where nobody does.
  bool may_own;
  /// Its name on the bus, and that of the owner of `org.freedesktop.Notifications`, which may be empty.
  char name[256], owner[256];
  /// What distinguishes the numbers of a daemon from those of every other one, also of other sessions.
  char scope[300];
  /// The version of `today`.
  const char *version;
} agent;

/// Ends the process because the bus does not answer.
_Noreturn void fail(const char *what, int error);

/// Connects to the session bus, to speak or, as a monitor, only to listen.
sd_bus *connect_bus(bool is_monitor);

/// Calls a method of the bus with a text; returns its answer, or NULL if that is an error.
sd_bus_message *ask_bus(agent *agent, const char *member, const char *text);

/// Whether this process shows the notifications.
static inline bool is_daemon(const agent *agent) {
  return agent->owner[0] != 0 && __builtin_strcmp(agent->owner, agent->name) == 0;
}

// watch.c: what is sent to and by the daemon of the session.

/// Begins to listen to the notifications of others, or for a daemon that asks for the name.
void watch_start(agent *agent, bool notifications);
/// Takes a message of others; returns whether another daemon has asked for the name.
bool watch_take(agent *agent, sd_bus_message *message);
/// Forgets the calls that were not answered, as their daemon has gone.
void watch_forget(void);

// daemon.c: the daemon itself.

/// Answers a call of the interface of notifications.
void daemon_take(agent *agent, sd_bus_message *call);
/// Tells the applications that a notification was closed, or that one of its actions was chosen.
void daemon_tell_closed(agent *agent, uint32_t id, uint32_t reason);
void daemon_tell_acted(agent *agent, uint32_t id, const char *key);

#endif
