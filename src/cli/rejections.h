#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/cluster.h"
#include "core/job.h"
#include "report/labels.h"

namespace muster {

// Why a policy has rejected the job, for people: the first thing that the cluster lacks, else the
// policy's own placement rule.
std::string rejection_reason(const JobSpec& job, const Cluster& cluster);

// One line for each rejected job, or for the first few and the number of the others.
std::vector<std::string> rejection_warnings(std::span<const Job> jobs, const JobLabels& labels,
                                            const Cluster& cluster);

}  // namespace muster
