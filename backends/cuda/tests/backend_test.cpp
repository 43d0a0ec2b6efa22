// Tests the backend with or without a driver.
#include "backends/cuda/cuda_backend.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/error.hpp"

namespace parallax::backend_test {
namespace {

TEST(CudaBackend, FindsDevicesOrSaysWhyNot) {
    const auto backend = make_cuda_backend();
    EXPECT_EQ(backend->name(), "cuda");
    const Inventory inventory = backend->find();
    if (inventory.devices.empty()) {
        ASSERT_FALSE(inventory.problem.empty());
        EXPECT_THAT(inventory.problem, testing::HasSubstr("nvidia-smi"));
        EXPECT_EQ(inventory.problem.back(), '.');
    }
    for (unsigned i = 0; i < inventory.devices.size(); ++i) {
        const DeviceInfo& info = inventory.devices[i];
        EXPECT_EQ(info.backend, "cuda");
        EXPECT_EQ(info.index, i);
        EXPECT_TRUE(info.uuid.has_value());
        EXPECT_THAT(info.pci, testing::MatchesRegex("[0-9a-f]+:[0-9a-f]+:[0-9a-f]+\\.[0-9a-f]+"));
        EXPECT_GT(info.clock_mhz, 100u);
        EXPECT_GE(info.local_bytes, 48u * 1024);
        EXPECT_EQ(info.max_groups.x, 2147483647u);
        EXPECT_TRUE(info.has("double"));
    }
    // A second call finds the same.
    EXPECT_EQ(backend->find().devices.size(), inventory.devices.size());
}

TEST(CudaBackend, DeviceThatIsNotThereCannotBeOpened) {
    DeviceInfo info;
    info.backend = "cuda";
    info.index = 1000;
    EXPECT_THROW(make_cuda_backend()->open(info), DeviceError);
}

}  // namespace
}  // namespace parallax::backend_test
