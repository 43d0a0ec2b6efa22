// The node, job and task that a batch scheduler assigned to this process.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace parallax {

/// A place among the processes of a job. Empty members: not known.
struct JobPlace {
    std::string host;  ///< the node's name from the scheduler, else its host name
    std::string job;
    std::optional<std::uint32_t> task;        ///< over all nodes of the job
    std::optional<std::uint32_t> local_task;  ///< on its node
};

/// Gives the value of a variable of the environment, or null.
using Variables = std::function<const char*(const char* name)>;

/// Reads the variables of Slurm, Flux, PBS and LSF, for the last two those of Open MPI or PMI.
/// @param host_name  used where no scheduler names the node
JobPlace job_place(const Variables&, const std::string& host_name);

/// The place of this process.
const JobPlace& job_place();

}  // namespace parallax
