#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"
#include "cli/inputs.h"
#include "cli/simulation.h"

namespace muster {

// The folder of --out. Files are written into `<folder>.partial` beside it and moved in together at
// the end, so that a run that fails leaves nothing behind. Files of an earlier run that this one
// does not write go then; whatever else the folder holds stays.
class ResultsFolder {
 public:
  // Makes the partial folder, so that a place that cannot be written is known before the run.
  static Result<ResultsFolder> create(const std::filesystem::path& folder);
  ResultsFolder(ResultsFolder&& other) noexcept;
  ResultsFolder& operator=(ResultsFolder&&) = delete;
  ~ResultsFolder();

  // Where to write until then.
  const std::filesystem::path& partial() const { return partial_; }
  Result<void> commit();

 private:
  Result<void> remove_stale_files(const std::filesystem::path& run) const;
  Result<void> remove_stale_runs() const;

  ResultsFolder(std::filesystem::path folder, std::filesystem::path partial)
      : folder_(std::move(folder)), partial_(std::move(partial)) {}

  std::filesystem::path folder_;
  std::filesystem::path partial_;  // Empty: nothing to clean up.
};

// Writes summary.json, jobs.csv, schedule.csv and, if wanted, timeline.json into `folder`, which is
// made if it is not there.
Result<void> write_simulation(const std::filesystem::path& folder, const Simulation& simulation,
                              const Inputs& inputs, bool has_timeline);

}  // namespace muster
