#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace muster {

// What a caller can handle: `message` names the place and the value, without a final period;
// `hint` says how to mend it, and may be empty.
struct Error {
  std::string message;
  std::string hint{};
};

template <class T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> failure(std::string message, std::string hint = {}) {
  return tl::unexpected<Error>(Error{std::move(message), std::move(hint)});
}

}  // namespace muster
