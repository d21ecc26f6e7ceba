#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/id.h"

namespace muster {

// What people call the jobs, by JobId. A list may be empty or short: the id is then the JobId, the
// others are empty.
struct JobLabels {
  std::span<const std::string> ids{};
  std::span<const std::string> users{};
  std::span<const std::string> models{};

  std::string id(JobId job) const {
    return job.index() < ids.size() ? ids[job.index()] : std::to_string(job.value());
  }
  std::string_view user(JobId job) const { return find(users, job); }
  std::string_view model(JobId job) const { return find(models, job); }

 private:
  static std::string_view find(std::span<const std::string> texts, JobId job) {
    return job.index() < texts.size() ? std::string_view(texts[job.index()]) : std::string_view();
  }
};

}  // namespace muster
