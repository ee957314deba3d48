#include "sdbus.h"

#include <CAgent.h>
#include <dlfcn.h>

sd_library sd;

const char *sd_load(void) {
  void *file = dlopen("libsystemd.so.0", RTLD_NOW);
  // The same interface, of systems without systemd.
  if (file == NULL) file = dlopen("libelogind.so.0", RTLD_NOW);
  if (file == NULL) {
    return "libsystemd is not installed (on Debian and Ubuntu, the package libsystemd0)";
  }
  const agent_symbol symbols[] = {
      {"sd_bus_new", (void **)&sd.new_bus},
      {"sd_bus_set_address", (void **)&sd.set_address},
      {"sd_bus_set_bus_client", (void **)&sd.set_bus_client},
      {"sd_bus_set_monitor", (void **)&sd.set_monitor},
      {"sd_bus_set_method_call_timeout", (void **)&sd.set_call_timeout},
      {"sd_bus_start", (void **)&sd.start},
      {"sd_bus_close_unref", (void **)&sd.close_unref},
      {"sd_bus_flush", (void **)&sd.flush},
      {"sd_bus_get_fd", (void **)&sd.get_fd},
      {"sd_bus_get_events", (void **)&sd.get_events},
      {"sd_bus_get_timeout", (void **)&sd.get_timeout},
      {"sd_bus_process", (void **)&sd.process},
      {"sd_bus_get_unique_name", (void **)&sd.unique_name},
      {"sd_bus_get_bus_id", (void **)&sd.bus_id},
      {"sd_bus_call_method", (void **)&sd.call_method},
      {"sd_bus_error_free", (void **)&sd.error_free},
      {"sd_bus_request_name", (void **)&sd.request_name},
      {"sd_bus_release_name", (void **)&sd.release_name},
      {"sd_bus_emit_signal", (void **)&sd.emit_signal},
      {"sd_bus_reply_method_return", (void **)&sd.reply_return},
      {"sd_bus_reply_method_errorf", (void **)&sd.reply_error},
      {"sd_bus_message_unref", (void **)&sd.unref},
      {"sd_bus_message_get_type", (void **)&sd.type},
      {"sd_bus_message_get_cookie", (void **)&sd.cookie},
      {"sd_bus_message_get_reply_cookie", (void **)&sd.reply_cookie},
      {"sd_bus_message_get_expect_reply", (void **)&sd.expects_reply},
      {"sd_bus_message_get_sender", (void **)&sd.sender},
      {"sd_bus_message_get_destination", (void **)&sd.destination},
      {"sd_bus_message_get_interface", (void **)&sd.interface},
      {"sd_bus_message_get_member", (void **)&sd.member},
      {"sd_bus_message_read", (void **)&sd.read},
      {"sd_bus_message_peek_type", (void **)&sd.peek},
      {"sd_bus_message_enter_container", (void **)&sd.enter},
      {"sd_bus_message_exit_container", (void **)&sd.leave},
      {"sd_bus_message_skip", (void **)&sd.skip},
      {"sd_bus_message_read_array", (void **)&sd.read_array},
  };
  if (!agent_find_symbols(file, symbols, sizeof symbols / sizeof symbols[0])) {
    return "the installed libsystemd is too old";
  }
  return NULL;
}
