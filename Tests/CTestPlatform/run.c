#include "CTestPlatform.h"
#include "strings.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

pid_t test_fork(void) {
  pid_t child = fork();
  // A child that writes or tries for ever must not outlive a parent that was killed.
  if (child == 0) (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
  return child;
}

static int spawn(const struct test_program *program, int output, int error, pid_t *pid) {
  char **arguments = split_strings(program->arguments, program->argument_count);
  char **environment = split_strings(program->environment, program->environment_count);
  if (!arguments || !environment) return ENOMEM;

  posix_spawnattr_t attributes;
  posix_spawn_file_actions_t actions;
  sigset_t signals;
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  sigfillset(&signals);
  posix_spawnattr_setsigdefault(&attributes, &signals);
  sigemptyset(&signals);
  posix_spawnattr_setsigmask(&attributes, &signals);
  posix_spawn_file_actions_addchdir_np(&actions, program->directory);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output, 1);
  posix_spawn_file_actions_adddup2(&actions, error, 2);
  posix_spawn_file_actions_addclosefrom_np(&actions, 3);
  int result = posix_spawn(pid, arguments[0], &actions, &attributes, arguments, environment);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  free(arguments);
  free(environment);
  return result;
}

int test_run_start(const struct test_program *program, struct test_run *run) {
  int output[2];
  int error[2];
  if (pipe2(output, O_CLOEXEC) < 0) return -errno;
  if (pipe2(error, O_CLOEXEC) < 0) {
    int failure = errno;
    close(output[0]);
    close(output[1]);
    return -failure;
  }
  int failure = spawn(program, output[1], error[1], &run->pid);
  close(output[1]);
  close(error[1]);
  if (failure == 0) {
    run->process = test_process_open(run->pid);
    if (run->process >= 0) {
      fcntl(output[0], F_SETFL, O_NONBLOCK);
      fcntl(error[0], F_SETFL, O_NONBLOCK);
      run->output = output[0];
      run->error = error[0];
      return 0;
    }
    failure = -run->process;
    kill(run->pid, SIGKILL);
    waitpid(run->pid, NULL, 0);
  }
  close(output[0]);
  close(error[0]);
  return -failure;
}

int test_wait(pid_t pid) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0) {
    if (errno != EINTR) return -errno;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

int test_process_open(pid_t pid) {
  int process = (int)syscall(SYS_pidfd_open, pid, 0);
  return process < 0 ? -errno : process;
}
