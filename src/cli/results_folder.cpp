#include "cli/results_folder.h"

#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "report/csv.h"
#include "report/files.h"
#include "report/summary.h"
#include "report/timeline.h"

namespace muster {
namespace {

namespace fs = std::filesystem;

tl::unexpected<Error> cannot_write(const fs::path& path, const std::error_code& fault) {
  return failure(path.string() + ": cannot be written: " + fault.message());
}

// The files below `folder`, relative to it.
std::vector<fs::path> files_below(const fs::path& folder, std::error_code& fault) {
  std::vector<fs::path> files;
  for (fs::recursive_directory_iterator entry(folder, fault), end; !fault && entry != end;
       entry.increment(fault)) {
    if (entry->is_directory(fault)) continue;
    files.push_back(entry->path().lexically_relative(folder));
  }
  return files;
}

constexpr std::string_view summary_name = "summary.json";
constexpr std::string_view comparison_name = "compare.csv";
constexpr std::string_view run_files[] = {summary_name, "jobs.csv", "schedule.csv",
                                          "timeline.json"};

// A folder "<digits>-..." with a summary that we wrote.
bool is_run_of_comparison(const fs::directory_entry& entry) {
  std::error_code ignored;
  if (entry.is_symlink(ignored) || !entry.is_directory(ignored)) return false;
  const std::string name = entry.path().filename().string();
  const std::size_t digits = name.find_first_not_of("0123456789");
  if (digits == 0 || digits == std::string::npos || name[digits] != '-') return false;
  std::ifstream file(entry.path() / summary_name, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  return text.find("\"schedule_hash\"") != std::string::npos;
}

}  // namespace

Result<ResultsFolder> ResultsFolder::create(const fs::path& folder) {
  std::error_code fault;
  if (fs::exists(folder, fault) && !fs::is_directory(folder, fault)) {
    return failure(folder.string() + ": is a file, expected a folder", "give another --out DIR");
  }
  fs::path name = folder.lexically_normal();
  if (!name.has_filename()) name = name.parent_path();  // "out/" is "out".
  fs::path partial = name;
  partial += ".partial";
  fs::remove_all(partial, fault);  // Of a run that was killed.
  fs::create_directories(partial, fault);
  if (fault) return cannot_write(folder, fault);
  return ResultsFolder(std::move(name), std::move(partial));
}

ResultsFolder::ResultsFolder(ResultsFolder&& other) noexcept
    : folder_(std::move(other.folder_)), partial_(std::exchange(other.partial_, {})) {}

ResultsFolder::~ResultsFolder() {
  std::error_code ignored;
  if (!partial_.empty()) fs::remove_all(partial_, ignored);
}

Result<void> ResultsFolder::commit() {
  std::error_code fault;
  const std::vector<fs::path> files = files_below(partial_, fault);
  if (fault) return cannot_write(folder_, fault);
  for (const fs::path& file : files) {
    if (file.filename() == summary_name) {
      if (const auto done = remove_stale_files(file.parent_path()); !done) return done;
    }
    if (file == comparison_name) {
      if (const auto done = remove_stale_runs(); !done) return done;
    }
  }
  for (const fs::path& file : files) {
    const fs::path target = folder_ / file;
    fs::create_directories(target.parent_path(), fault);
    if (!fault) fs::rename(partial_ / file, target, fault);
    if (fault) return cannot_write(target, fault);
  }
  return {};
}

// `run`: relative to the folder. Keeps what is about to be replaced.
Result<void> ResultsFolder::remove_stale_files(const fs::path& run) const {
  for (const std::string_view name : run_files) {
    std::error_code fault;
    if (fs::exists(partial_ / run / name, fault)) continue;
    fs::remove(folder_ / run / name, fault);
    if (fault) return cannot_write(folder_ / run / name, fault);
  }
  return {};
}

Result<void> ResultsFolder::remove_stale_runs() const {
  std::error_code fault;
  if (!fs::exists(folder_, fault)) return {};
  std::vector<fs::path> stale;
  for (fs::directory_iterator entry(folder_, fault), end; !fault && entry != end;
       entry.increment(fault)) {
    const fs::path name = entry->path().filename();
    std::error_code ignored;
    if (is_run_of_comparison(*entry) && !fs::exists(partial_ / name, ignored)) {
      stale.push_back(name);
    }
  }
  if (fault) return cannot_write(folder_, fault);
  for (const fs::path& name : stale) {
    if (const auto done = remove_stale_files(name); !done) return done;
    if (fs::is_empty(folder_ / name, fault)) fs::remove(folder_ / name, fault);
    if (fault) return cannot_write(folder_ / name, fault);
  }
  return {};
}

Result<void> write_simulation(const fs::path& folder, const Simulation& simulation,
                              const Inputs& inputs, bool has_timeline) {
  std::error_code fault;
  fs::create_directories(folder, fault);
  if (fault) return cannot_write(folder, fault);
  const JobLabels labels = inputs.labels();
  if (auto done = write_file(folder / "summary.json", summary_json(simulation.summary)); !done) {
    return done;
  }
  if (auto done = write_file(folder / "jobs.csv", jobs_csv(simulation.outcomes, labels)); !done) {
    return done;
  }
  auto done = write_file(folder / "schedule.csv", schedule_csv(simulation.recorder, labels));
  if (!done || !has_timeline) return done;
  return write_file(folder / "timeline.json",
                    timeline_json(simulation.recorder, labels, simulation.summary.run));
}

}  // namespace muster
