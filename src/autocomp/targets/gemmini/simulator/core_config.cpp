#include "core_config.hpp"

#include <stdexcept>

namespace autocomp::gemmini {

bool CoreConfig::set(const std::string& name, std::int64_t value) {
#define AUTOCOMP_SET(field, standard, least, most)                                                            \
  if (name == #field) {                                                                                       \
    if (value < (least) || value > (most)) {                                                                  \
      throw std::invalid_argument("simulator setting " + name + " = " + std::to_string(value) +               \
                                  " must lie in " #least " … " #most);                                        \
    }                                                                                                         \
    field = value;                                                                                            \
    return true;                                                                                              \
  }
  AUTOCOMP_GEMMINI_CORE_CONFIG(AUTOCOMP_SET)
#undef AUTOCOMP_SET
  return false;
}

std::vector<std::string> CoreConfig::field_names() {
  return {
#define AUTOCOMP_NAME(field, standard, least, most) #field,
      AUTOCOMP_GEMMINI_CORE_CONFIG(AUTOCOMP_NAME)
#undef AUTOCOMP_NAME
  };
}

}  // namespace autocomp::gemmini
