// Reads the environment variables of batch schedulers.
#include "common/process/job_place.hpp"

#include <array>
#include <charconv>
#include <cstdlib>
#include <span>

#include <unistd.h>

namespace parallax {
namespace {

/// The first variable that is set.
std::string first_of(const Variables& variable, std::span<const char* const> names) {
    for (const char* name : names) {
        const char* value = variable(name);
        if (value && *value) return value;
    }
    return {};
}

std::optional<std::uint32_t> number_of(const Variables& variable,
                                       std::span<const char* const> names) {
    const std::string text = first_of(variable, names);
    std::uint32_t number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || read.ec != std::errc{} || *read.ptr) return {};
    return number;
}

}  // namespace

JobPlace job_place(const Variables& variable, const std::string& host_name) {
    constexpr std::array jobs{"SLURM_JOB_ID", "FLUX_JOB_ID", "PBS_JOBID", "LSB_JOBID"};
    constexpr std::array tasks{"SLURM_PROCID", "FLUX_TASK_RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK",
                               "PMIX_RANK"};
    constexpr std::array local_tasks{"SLURM_LOCALID", "FLUX_TASK_LOCAL_ID",
                                     "OMPI_COMM_WORLD_LOCAL_RANK", "PMI_LOCAL_RANK"};
    constexpr std::array hosts{"SLURMD_NODENAME"};
    JobPlace place;
    place.host = first_of(variable, hosts);
    if (place.host.empty()) place.host = host_name;
    place.job = first_of(variable, jobs);
    if (place.job.empty()) return place;
    place.task = number_of(variable, tasks);
    place.local_task = number_of(variable, local_tasks);
    return place;
}

const JobPlace& job_place() {
    static const JobPlace place = [] {
        std::array<char, 256> name{};
        if (::gethostname(name.data(), name.size() - 1) != 0) name[0] = '\0';
        return job_place([](const char* variable) { return std::getenv(variable); }, name.data());
    }();
    return place;
}

}  // namespace parallax
