#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "base/result.h"
#include "cli/flags.h"
#include "perf/models.h"
#include "sim/sim_world.h"
#include "workload/bind.h"
#include "workload/reader.h"

namespace muster {

// The flags that simulate and compare share, as typed.
struct RunFlags {
  std::string cluster{};
  std::string trace{};
  std::string format{};
  std::string max_jobs{};
  std::string from{};
  std::string to{};
  std::string window{};
  bool skip_bad_rows = false;
  std::string assign_models{};
  std::string reference_gpu{};
  std::string round_seconds = "360";
  std::string restart_seconds = "0";
  std::string checkpoint_seconds = "1800";
  std::string truth = "trace";
  std::string belief{};
  std::string noise = "0";
  std::string failures{};
  std::string seed = "0";
  bool timeline = false;
  std::string out{};
  bool json = false;
  std::string export_markdown{};
};

void declare_run_flags(Flags& flags, RunFlags& run);

// The same, understood.
struct RunSettings {
  std::string cluster{};
  std::string trace{};
  ReadOptions read{};
  BindOptions bind{};                 // Without tables: they are not read yet.
  std::optional<ModelSpec> belief{};  // None: the truth.
  double noise_ratio = 0;
  std::optional<std::pair<std::int64_t, std::int64_t>> window{};
  Duration round{};
  SimOptions world{};
  std::uint64_t seed = 0;
  bool has_timeline = false;
  std::string out{};  // Empty: no files.
  bool is_json = false;
  std::string markdown{};  // Empty: none.
};

Result<RunSettings> parse_run_flags(const RunFlags& run);

}  // namespace muster
