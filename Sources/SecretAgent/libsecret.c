#include "libsecret.h"

#include <CAgent.h>
#include <dlfcn.h>

secret_library secret;

const char *secret_load(void) {
  void *file = dlopen("libsecret-1.so.0", RTLD_NOW);
  if (file == NULL) {
    return "libsecret is not installed (on Debian and Ubuntu, the package libsecret-1-0)";
  }
  // Those of GLib are found in the libraries that libsecret needs.
  const agent_symbol symbols[] = {
      {"secret_service_get_sync", (void **)&secret.service_get},
      {"secret_service_search_sync", (void **)&secret.search},
      {"secret_service_store_sync", (void **)&secret.store},
      {"secret_service_clear_sync", (void **)&secret.clear},
      {"secret_error_get_quark", (void **)&secret.error_domain},
      {"secret_item_get_secret", (void **)&secret.item_secret},
      {"secret_item_get_attributes", (void **)&secret.item_attributes},
      {"secret_value_new", (void **)&secret.value_new},
      {"secret_value_get", (void **)&secret.value_bytes},
      {"g_hash_table_new", (void **)&secret.table_new},
      {"g_hash_table_insert", (void **)&secret.table_insert},
      {"g_hash_table_lookup", (void **)&secret.table_lookup},
      {"g_str_hash", (void **)&secret.string_hash},
      {"g_str_equal", (void **)&secret.strings_are_equal},
  };
  if (!agent_find_symbols(file, symbols, sizeof symbols / sizeof symbols[0])) {
    return "the installed libsecret is too old";
  }
  return NULL;
}
