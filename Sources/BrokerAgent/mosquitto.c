#include "mosquitto.h"

#include <CAgent.h>
#include <dlfcn.h>

mosquitto_library mosq;

const char *mosquitto_load(void) {
  void *file = dlopen("libmosquitto.so.1", RTLD_NOW);
  if (file == NULL) return "libmosquitto is not installed; install it with: apt install libmosquitto1";
  const agent_symbol symbols[] = {
      {"mosquitto_lib_init", (void **)&mosq.lib_init},
      {"mosquitto_new", (void **)&mosq.new_client},
      {"mosquitto_destroy", (void **)&mosq.destroy},
      {"mosquitto_int_option", (void **)&mosq.int_option},
      {"mosquitto_will_set_v5", (void **)&mosq.will_set},
      {"mosquitto_username_pw_set", (void **)&mosq.credentials_set},
      {"mosquitto_tls_set", (void **)&mosq.tls_set},
      {"mosquitto_connect_bind_v5", (void **)&mosq.connect},
      {"mosquitto_disconnect_v5", (void **)&mosq.disconnect},
      {"mosquitto_publish_v5", (void **)&mosq.publish},
      {"mosquitto_subscribe_v5", (void **)&mosq.subscribe},
      {"mosquitto_unsubscribe_v5", (void **)&mosq.unsubscribe},
      {"mosquitto_socket", (void **)&mosq.socket},
      {"mosquitto_want_write", (void **)&mosq.wants_write},
      {"mosquitto_loop_read", (void **)&mosq.loop_read},
      {"mosquitto_loop_write", (void **)&mosq.loop_write},
      {"mosquitto_loop_misc", (void **)&mosq.loop_misc},
      {"mosquitto_connect_v5_callback_set", (void **)&mosq.on_connect},
      {"mosquitto_disconnect_v5_callback_set", (void **)&mosq.on_disconnect},
      {"mosquitto_publish_v5_callback_set", (void **)&mosq.on_publish},
      {"mosquitto_subscribe_v5_callback_set", (void **)&mosq.on_subscribe},
      {"mosquitto_message_v5_callback_set", (void **)&mosq.on_message},
      {"mosquitto_log_callback_set", (void **)&mosq.on_log},
      {"mosquitto_strerror", (void **)&mosq.error_words},
      {"mosquitto_reason_string", (void **)&mosq.reason_words},
      {"mosquitto_sub_topic_check2", (void **)&mosq.filter_check},
      {"mosquitto_pub_topic_check2", (void **)&mosq.topic_check},
      {"mosquitto_validate_utf8", (void **)&mosq.utf8_check},
      {"mosquitto_property_add_int32", (void **)&mosq.add_int32},
      {"mosquitto_property_add_string", (void **)&mosq.add_string},
      {"mosquitto_property_read_int32", (void **)&mosq.read_int32},
      {"mosquitto_property_read_string", (void **)&mosq.read_string},
      {"mosquitto_property_free_all", (void **)&mosq.free_properties},
  };
  if (!agent_find_symbols(file, symbols, sizeof symbols / sizeof symbols[0])) {
    return "the installed libmosquitto is too old; 2.0 is needed";
  }
  return mosq.lib_init() == MOSQ_ERR_SUCCESS ? NULL : "libmosquitto cannot be used";
}
