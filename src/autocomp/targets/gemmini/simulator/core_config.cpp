#include "core_config.hpp"

namespace autocomp::gemmini {

bool CoreConfig::set(const std::string& name, std::int64_t value) {
#define AUTOCOMP_SET(field, standard, least, most, meaning)       \
  if (name == #field) {                                           \
    Setting{#field, standard, least, most, meaning}.check(value); \
    field = value;                                                \
    return true;                                                  \
  }
  AUTOCOMP_GEMMINI_CORE_CONFIG(AUTOCOMP_SET)
#undef AUTOCOMP_SET
  return false;
}

std::vector<Setting> CoreConfig::settings() {
  return {
#define AUTOCOMP_SETTING(field, standard, least, most, meaning) {#field, standard, least, most, meaning},
      AUTOCOMP_GEMMINI_CORE_CONFIG(AUTOCOMP_SETTING)
#undef AUTOCOMP_SETTING
  };
}

}  // namespace autocomp::gemmini
