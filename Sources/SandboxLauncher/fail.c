#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "launcher.h"

void launcher_fail(int status, int number, const char *what, const char *detail) {
  fprintf(stderr, "sandbox-launcher: %s%s%s%s%s\n", what, detail ? " " : "", detail ? detail : "",
          number ? ": " : "", number ? strerror(number) : "");
  exit(status);
}
