#include "title.h"

#include <string.h>
#include <sys/prctl.h>

#include "CPlatform.h"

static char **host_arguments;

void platform_name_arguments(char **arguments) { host_arguments = arguments; }

void title_set(const char *name, const char *title) {
  (void)prctl(PR_SET_NAME, name);
  if (!host_arguments || !host_arguments[0]) return;
  size_t room = 0;
  for (char **argument = host_arguments; *argument; argument++) {
    if (*argument != host_arguments[0] + room) break;
    room += strlen(*argument) + 1;
  }
  size_t length = strlen(title);
  memset(host_arguments[0], 0, room);
  memcpy(host_arguments[0], title, room <= length ? room - 1 : length);
}
