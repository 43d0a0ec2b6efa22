// Tests devices that the shell and the project folder select.
#include <fstream>

#include <gmock/gmock.h>

#include "cli/tests/command_line.hpp"

namespace parallax::cli::shell_device_test {
namespace {

using testing::HasSubstr;

class ShellOnDevices : public CommandLine {
protected:
    static std::string offered(std::vector<std::string> words) {
        words.insert(words.begin(), "--complete");
        return run(words).out;
    }
};

TEST_F(ShellOnDevices, DevicesAreOffered) {
    if (!has_device()) GTEST_SKIP() << "no device";
    EXPECT_THAT(offered({"run", "-d", ""}), HasSubstr("opencl:0\t"));
    EXPECT_THAT(offered({"diff", ""}), HasSubstr("opencl:0\t"));
}

TEST_F(ShellOnDevices, DevicesOfAProjectAreTheSides) {
    if (!has_device()) GTEST_SKIP() << "no device";
    std::ofstream("parallax.toml") << "devices = [\"opencl:0\", \"opencl:0\"]\nbudget = 100000\n";
    const Ended e = run({"diff", "-s", "transpose/naive", "-n", "64x64", "--json"});
    EXPECT_EQ(e.code, 0) << e.err;
    EXPECT_EQ(Json::parse(e.out).at("cases").size(), 1u);
}

}  // namespace
}  // namespace parallax::cli::shell_device_test
