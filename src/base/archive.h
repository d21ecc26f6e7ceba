#pragma once

#include <chrono>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace muster {

// One pass over the fields saves or loads, so the two cannot drift apart: `archive(a_, b_)`.
// Handles numbers, enums, ids, times, plain structs (as bytes), string, vector, map, set, optional,
// pair, and any type with `void transfer(Archive& archive)`. Damaged bytes make `failed()` true and
// leave empty values; they never crash. Plain structs carry their padding, so equal states may
// differ in bytes: compare schedules, not files.
class Archive {
 public:
  static Archive saver() { return Archive(true, {}); }
  static Archive loader(std::string bytes) { return Archive(false, std::move(bytes)); }

  template <class... T>
  void operator()(T&... fields) {
    (transfer(fields), ...);
  }

  bool is_saving() const { return saving_; }
  bool failed() const { return failed_; }
  void fail() { failed_ = true; }
  // True when a loader has used all of its bytes without a fault.
  bool is_complete() const { return !failed_ && position_ == bytes_.size(); }
  const std::string& bytes() const { return bytes_; }

 private:
  Archive(bool saving, std::string bytes) : saving_(saving), bytes_(std::move(bytes)) {}

  void transfer_bytes(void* data, std::size_t size) {
    if (saving_) {
      bytes_.append(static_cast<const char*>(data), size);
    } else if (failed_ || bytes_.size() - position_ < size) {
      failed_ = true;
    } else {
      std::memcpy(data, bytes_.data() + position_, size);
      position_ += size;
    }
  }

  // A count of things that take at least one byte each: a larger one than the bytes left is damage.
  std::size_t transfer_count(std::size_t count) {
    std::uint64_t wide = count;
    transfer_bytes(&wide, sizeof wide);
    if (!saving_ && (failed_ || wide > bytes_.size() - position_)) {
      failed_ = true;
      return 0;
    }
    return static_cast<std::size_t>(wide);
  }

  template <class T>
  void transfer(T& value) {
    if constexpr (requires { value.transfer(*this); }) {
      value.transfer(*this);
    } else {
      static_assert(std::is_trivially_copyable_v<T>, "give the type a transfer(Archive&)");
      transfer_bytes(&value, sizeof value);
    }
  }

  void transfer(bool& value) {
    unsigned char byte = value ? 1 : 0;
    transfer_bytes(&byte, 1);
    if (byte > 1) failed_ = true;
    value = byte == 1;
  }

  void transfer(std::string& text) {
    const std::size_t count = transfer_count(text.size());
    if (!saving_) text.assign(count, '\0');
    transfer_bytes(text.data(), count);
  }

  template <class T>
  void transfer(std::vector<T>& items) {
    const std::size_t count = transfer_count(items.size());
    if (!saving_) {
      items.clear();
      for (std::size_t i = 0; i < count && !failed_; ++i) {
        T item{};
        transfer(item);
        items.push_back(std::move(item));
      }
      return;
    }
    for (T& item : items) transfer(item);
  }

  template <class A, class B>
  void transfer(std::pair<A, B>& both) {
    transfer(both.first);
    transfer(both.second);
  }

  template <class T>
  void transfer(std::optional<T>& maybe) {
    bool present = maybe.has_value();
    transfer(present);
    if (!saving_) maybe = present ? std::optional<T>(T{}) : std::nullopt;
    if (present) transfer(*maybe);
  }

  template <class K, class V, class C>
  void transfer(std::map<K, V, C>& items) {
    const std::size_t count = transfer_count(items.size());
    if (saving_) {
      for (auto& [key, value] : items) {
        K copy = key;
        transfer(copy);
        transfer(value);
      }
      return;
    }
    items.clear();
    for (std::size_t i = 0; i < count && !failed_; ++i) {
      K key{};
      V value{};
      transfer(key);
      transfer(value);
      items.emplace_hint(items.end(), std::move(key), std::move(value));
    }
  }

  template <class K, class C>
  void transfer(std::set<K, C>& items) {
    const std::size_t count = transfer_count(items.size());
    if (saving_) {
      for (const K& key : items) {
        K copy = key;
        transfer(copy);
      }
      return;
    }
    items.clear();
    for (std::size_t i = 0; i < count && !failed_; ++i) {
      K key{};
      transfer(key);
      items.insert(items.end(), std::move(key));
    }
  }

  bool saving_;
  bool failed_ = false;
  std::size_t position_ = 0;
  std::string bytes_;
};

}  // namespace muster
