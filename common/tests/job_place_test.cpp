// Tests the job places that schedulers' environment variables give.
#include "common/process/job_place.hpp"

#include <map>

#include <gtest/gtest.h>

namespace parallax::job_place_test {
namespace {

JobPlace place_with(const std::map<std::string, std::string>& variables) {
    return job_place(
        [&](const char* name) -> const char* {
            const auto found = variables.find(name);
            return found == variables.end() ? nullptr : found->second.c_str();
        },
        "login");
}

TEST(JobPlace, IsTheMachineAloneWithoutAScheduler) {
    const JobPlace place = place_with({});
    EXPECT_EQ(place.host, "login");
    EXPECT_EQ(place.job, "");
    EXPECT_FALSE(place.task);
    EXPECT_FALSE(place.local_task);
}

TEST(JobPlace, ReadsSlurm) {
    const JobPlace place = place_with({{"SLURM_JOB_ID", "4711"},
                                       {"SLURMD_NODENAME", "nid000017"},
                                       {"SLURM_PROCID", "67"},
                                       {"SLURM_LOCALID", "3"}});
    EXPECT_EQ(place.host, "nid000017");
    EXPECT_EQ(place.job, "4711");
    EXPECT_EQ(place.task, 67U);
    EXPECT_EQ(place.local_task, 3U);
}

TEST(JobPlace, ReadsOtherSchedulersWithTheirLaunchers) {
    const JobPlace flux =
        place_with({{"FLUX_JOB_ID", "f2x"}, {"FLUX_TASK_RANK", "9"}, {"FLUX_TASK_LOCAL_ID", "1"}});
    EXPECT_EQ(flux.job, "f2x");
    EXPECT_EQ(flux.task, 9U);
    EXPECT_EQ(flux.local_task, 1U);
    const JobPlace pbs = place_with({{"PBS_JOBID", "12.server"}, {"OMPI_COMM_WORLD_RANK", "2"}});
    EXPECT_EQ(pbs.job, "12.server");
    EXPECT_EQ(pbs.task, 2U);
    EXPECT_FALSE(pbs.local_task);
}

TEST(JobPlace, TakesNoTaskThatIsNoNumberOrOfNoJob) {
    EXPECT_FALSE(place_with({{"SLURM_JOB_ID", "1"}, {"SLURM_PROCID", "3x"}}).task);
    EXPECT_FALSE(place_with({{"SLURM_JOB_ID", "1"}, {"SLURM_PROCID", ""}}).task);
    EXPECT_FALSE(place_with({{"OMPI_COMM_WORLD_RANK", "3"}}).task);
}

}  // namespace
}  // namespace parallax::job_place_test
