// Tests which environment variables a record has, and the warnings about their effects.
#include "records/environment.hpp"

#include <gmock/gmock.h>

namespace parallax::environment_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

DeviceRecord device(const std::string& backend, const std::string& vendor = {},
                    const std::string& platform = {}) {
    DeviceRecord where;
    where.backend = backend;
    where.vendor = vendor;
    where.platform = platform;
    return where;
}
const DeviceRecord cuda = device("cuda", "NVIDIA Corporation"),
                   nvidia = device("opencl", "NVIDIA Corporation", "NVIDIA CUDA"),
                   pocl = device("opencl", "GenuineIntel", "Portable Computing Language"),
                   host = device("host");

std::vector<std::string> warnings(const DeviceRecord& where, const std::string& name,
                                  const std::string& value) {
    RunInfo run;
    run.environment[name] = value;
    return environment_warnings(run, where);
}

TEST(Environment, HasWhatDriversReadAndNothingElse) {
    const char* const all[] = {"HOME=/h",
                               "CUDA_LAUNCH_BLOCKING=1",
                               "CUDA_VISIBLE_DEVICES=",
                               "NVIDIA_TF32_OVERRIDE=0",
                               "NVIDIA_PRODUCT_NAME=x",
                               "POCL_AFFINITY=1\n",
                               "OCL_ICD_VENDORS=a=b",
                               "CLICOLOR=1",
                               "CL_CONFIG_CPU_TARGET_ARCH=skx",
                               "CUDA_CACHE_PATH=/tmp/parallax-driver-cache-x",
                               "CUDA_WITHOUT_VALUE",
                               nullptr};
    EXPECT_THAT(measured_variables(all),
                ElementsAre(Pair("CL_CONFIG_CPU_TARGET_ARCH", "skx"),
                            Pair("CUDA_LAUNCH_BLOCKING", "1"), Pair("CUDA_VISIBLE_DEVICES", ""),
                            Pair("NVIDIA_TF32_OVERRIDE", "0"), Pair("OCL_ICD_VENDORS", "a=b"),
                            Pair("POCL_AFFINITY", ::testing::Not(HasSubstr("\n")))));
    EXPECT_THAT(measured_variables(nullptr), IsEmpty());
}

TEST(Environment, WarnsWhereItMattersAndNowhereElse) {
    for (const DeviceRecord& where : {cuda, nvidia}) {
        EXPECT_THAT(warnings(where, "CUDA_LAUNCH_BLOCKING", "1"),
                    ElementsAre(HasSubstr("To measure without it: unset CUDA_LAUNCH_BLOCKING")));
        EXPECT_THAT(warnings(where, "CUDA_LAUNCH_BLOCKING", "0"), IsEmpty());
    }
    for (const DeviceRecord& where : {pocl, host}) {
        EXPECT_THAT(warnings(where, "CUDA_LAUNCH_BLOCKING", "1"), IsEmpty());
    }
    EXPECT_THAT(warnings(pocl, "POCL_WORK_GROUP_METHOD", "workitemrepl"),
                ElementsAre(HasSubstr("POCL_WORK_GROUP_METHOD=workitemrepl")));
    EXPECT_THAT(warnings(cuda, "POCL_WORK_GROUP_METHOD", "workitemrepl"), IsEmpty());
    EXPECT_THAT(warnings(cuda, "CUDA_VISIBLE_DEVICES", "1"), IsEmpty()) << "devices are named";
}

TEST(Environment, ShareOfTheMultiprocessorsIsSeenWhereADaemonGivesIt) {
    DeviceRecord where = cuda;
    EXPECT_THAT(warnings(where, "CUDA_MPS_ACTIVE_THREAD_PERCENTAGE", "50"), IsEmpty());
    where.settings.mps = true;
    EXPECT_THAT(warnings(where, "CUDA_MPS_ACTIVE_THREAD_PERCENTAGE", "50"),
                ElementsAre(HasSubstr("a part of the device")));
    EXPECT_THAT(warnings(where, "CUDA_MPS_ACTIVE_THREAD_PERCENTAGE", "100"), IsEmpty());
}

}  // namespace
}  // namespace parallax::environment_test
