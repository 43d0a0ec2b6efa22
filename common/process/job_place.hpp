// Where a scheduler has put this process: the node, the job, the task.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace parallax {

/// A place among the processes of a job. Nothing, and an empty text: nobody says.
struct JobPlace {
    std::string host;  ///< the node as its scheduler calls it, else as it calls itself
    std::string job;
    std::optional<std::uint32_t> task;        ///< over all nodes of the job
    std::optional<std::uint32_t> local_task;  ///< on its node
};

/// Gives the value of a variable of the environment, or null.
using Variables = std::function<const char*(const char* name)>;

/// As Slurm, Flux, PBS and LSF say it, the last two with the variables of Open MPI or PMI.
/// @param host_name  of the machine, where no scheduler names the node
JobPlace job_place(const Variables&, const std::string& host_name);

/// Of this process.
const JobPlace& job_place();

}  // namespace parallax
