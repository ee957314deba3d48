#ifndef C_AGENT_H
#define C_AGENT_H

// What the programs share that load a library of the system, and speak with the program that has started them.

#include <stdbool.h>
#include <stddef.h>

/// A function of a library, and where its address goes.
typedef struct agent_symbol {
  const char *name;
  void **place;
} agent_symbol;

/// Finds functions in a library that was opened; returns false if it does not have one of them.
bool agent_find_symbols(void *library, const agent_symbol *symbols, size_t count);

/// Gives up gaining privileges, and keeps what is in memory from cores and from other processes of the user.
void agent_become_private(void);

/// Lets a pipe that is full, or empty, refuse what is asked of it, rather than stop this process. A terminal is left as it
/// is, which others use.
void agent_set_nonblocking(int file);

/// Bytes that wait for a reader.
typedef struct agent_queue {
  char *bytes;
  size_t start, count, space;
} agent_queue;

/// Adds bytes; without memory for them the process ends.
void agent_queue_add(agent_queue *queue, const char *bytes, size_t count);
/// Writes as much as a file takes; returns false if nobody reads it any more. An empty queue keeps no memory.
bool agent_queue_flush(agent_queue *queue, int file);

#endif
