#include "base/archive.h"

#include <gtest/gtest.h>

#include "base/id.h"
#include "base/rng.h"
#include "base/time.h"

namespace muster {
namespace {

enum class Colour : std::uint8_t { red, green };

struct Plain {
  std::int32_t x = 0;
  double y = 0;
  friend bool operator==(const Plain&, const Plain&) = default;
};

class Counter {
 public:
  explicit Counter(int count = 0) : count_(count) {}
  void transfer(Archive& archive) { archive(count_); }
  friend bool operator==(const Counter&, const Counter&) = default;

 private:
  int count_;
};

// One of everything that an archive handles.
struct Everything {
  std::int64_t number = 0;
  double real = 0;
  bool flag = false;
  Colour colour = Colour::red;
  JobId job{};
  Time at{};
  Plain plain{};
  Counter counter{};
  std::string text{};
  std::vector<std::int32_t> numbers{};
  std::vector<std::string> texts{};
  std::map<std::string, std::vector<Plain>> by_name{};
  std::map<JobId, std::map<int, std::string>> nested{};
  std::set<std::pair<int, std::string>> pairs{};
  std::optional<std::vector<int>> maybe{};
  std::optional<Counter> none{};
  std::vector<std::optional<std::string>> optionals{};

  void transfer(Archive& archive) {
    archive(number, real, flag, colour, job, at, plain, counter, text, numbers, texts, by_name,
            nested, pairs, maybe, none, optionals);
  }
  friend bool operator==(const Everything&, const Everything&) = default;
};

Everything example() {
  return {.number = -7,
          .real = 0.1,
          .flag = true,
          .colour = Colour::green,
          .job = JobId(9U),
          .at = Time(Duration(123456789)),
          .plain = {.x = 3, .y = -0.5},
          .counter = Counter(12),
          .text = std::string("zero\0inside", 11),
          .numbers = {1, 2, 3},
          .texts = {"", "a", "bc"},
          .by_name = {{"p", {{.x = 1, .y = 2}, {.x = 3, .y = 4}}}, {"q", {}}},
          .nested = {{JobId(1U), {{5, "five"}}}, {JobId(4U), {}}},
          .pairs = {{1, "x"}, {1, "y"}, {0, ""}},
          .maybe = std::vector<int>{8, 9},
          .none = std::nullopt,
          .optionals = {std::nullopt, "here", std::nullopt}};
}

std::string saved(Everything value) {
  Archive archive = Archive::saver();
  archive(value);
  return archive.bytes();
}

TEST(Archive, loads_what_it_saved) {
  Archive loader = Archive::loader(saved(example()));
  Everything loaded;
  loader(loaded);
  EXPECT_TRUE(loader.is_complete());
  EXPECT_EQ(loaded, example());
}

TEST(Archive, loading_replaces_what_was_there) {
  Archive loader = Archive::loader(saved({}));
  Everything loaded = example();
  loader(loaded);
  EXPECT_TRUE(loader.is_complete());
  EXPECT_EQ(loaded, Everything{});
}

TEST(Archive, bytes_cut_short_anywhere_are_a_failure) {
  const std::string bytes = saved(example());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    Archive loader = Archive::loader(bytes.substr(0, size));
    Everything loaded;
    loader(loaded);
    ASSERT_TRUE(loader.failed()) << size;
    ASSERT_FALSE(loader.is_complete()) << size;
  }
}

TEST(Archive, bytes_left_over_are_not_complete) {
  Archive loader = Archive::loader(saved(example()) + "x");
  Everything loaded;
  loader(loaded);
  EXPECT_FALSE(loader.failed());
  EXPECT_FALSE(loader.is_complete());
}

// Only containers of numbers and texts: any bytes are a value of those.
TEST(Archive, damaged_bytes_never_crash) {
  const std::map<int, std::vector<std::string>> original = {{1, {"a", "bcd"}}, {7, {}}, {9, {""}}};
  Archive saver = Archive::saver();
  auto copy = original;
  saver(copy);
  Rng rng{3};
  int failures = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string bytes = saver.bytes();
    for (std::uint64_t flips = 1 + rng.below(4); flips > 0; --flips) {
      bytes[rng.below(bytes.size())] = static_cast<char>(rng.below(256));
    }
    Archive loader = Archive::loader(bytes);
    std::map<int, std::vector<std::string>> loaded;
    std::set<std::string> more;
    loader(loaded, more);
    failures += loader.failed() ? 1 : 0;
  }
  EXPECT_EQ(failures, 20000);
}

TEST(Archive, a_planted_length_allocates_nothing) {
  for (const std::uint64_t length :
       {std::uint64_t{9}, ~std::uint64_t{0}, std::uint64_t{1} << 40U}) {
    Archive saver = Archive::saver();
    std::uint64_t planted = length;
    std::uint64_t only = 5;
    saver(planted, only);
    Archive texts = Archive::loader(saver.bytes());
    std::string text = "before";
    texts(text);
    EXPECT_TRUE(texts.failed());
    EXPECT_TRUE(text.empty());
    Archive vectors = Archive::loader(saver.bytes());
    std::vector<std::uint64_t> numbers;
    vectors(numbers);
    EXPECT_TRUE(vectors.failed());
    EXPECT_LE(numbers.size(), 2U);
    Archive maps = Archive::loader(saver.bytes());
    std::map<std::uint64_t, std::string> map;
    maps(map);
    EXPECT_TRUE(maps.failed());
  }
}

TEST(Archive, a_bool_is_zero_or_one) {
  Archive saver = Archive::saver();
  std::uint8_t two = 2;
  saver(two);
  Archive loader = Archive::loader(saver.bytes());
  bool flag = true;
  loader(flag);
  EXPECT_TRUE(loader.failed());
  EXPECT_FALSE(flag);
}

TEST(Archive, after_a_failure_everything_fails) {
  Archive loader = Archive::loader("abc");
  std::int64_t wide = 1;
  char byte = 'z';
  loader(wide, byte);
  EXPECT_TRUE(loader.failed());
  EXPECT_EQ(byte, 'z');
}

TEST(Archive, a_reader_may_refuse_what_it_reads) {
  Archive loader = Archive::loader("a");
  char version = 0;
  loader(version);
  EXPECT_TRUE(loader.is_complete());
  loader.fail();
  EXPECT_FALSE(loader.is_complete());
}

}  // namespace
}  // namespace muster
