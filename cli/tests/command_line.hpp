// Fixture for tests of the command line: a folder for each test, and the program in process.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/command.hpp"
#include "cli/tests/paced_backend.hpp"
#include "common/device/devices.hpp"
#include "common/tests/small_backend.hpp"
#include "common/text/temporary_folder.hpp"
#include "records/json.hpp"
#include "records/results.hpp"

namespace parallax::cli {

/// The result of a run of the program.
struct Ended {
    int code = 0;
    std::string out, err;
};

/// The lines of a result file as JSON.
struct JsonResults {
    std::vector<Json> records, pairs, explanations;
    bool cut_short = false;
};
inline JsonResults json_results(const std::filesystem::path& path) {
    JsonResults results;
    const ReadSummary summary = read_results(path, [&](ResultEntry&& line, unsigned) {
        auto& list = std::holds_alternative<Record>(line) ? results.records
                     : std::holds_alternative<Pair>(line) ? results.pairs
                                                          : results.explanations;
        list.push_back(to_json(line));
    });
    results.cut_short = summary.cut_short;
    return results;
}

/// Waits until the condition holds, without a time limit, or until the child has ended.
inline void wait_for(pid_t child, const std::function<bool()>& happened) {
    siginfo_t ended{};
    while (!happened() && ended.si_pid == 0) {
        usleep(10000);
        if (waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOHANG | WNOWAIT) != 0) {
            return;
        }
    }
}

class CommandLine : public testing::Test {
protected:
    std::filesystem::path before_ = std::filesystem::current_path();
    TemporaryFolder place_{"parallax-cli-"};
    std::filesystem::path folder_ = place_.path();

    CommandLine() { std::filesystem::current_path(folder_); }
    ~CommandLine() override { std::filesystem::current_path(before_); }

    /// @param on  by default real devices with a test's timer: their results count, not their times
    static Ended run(const std::vector<std::string>& words,
                     std::span<const std::unique_ptr<Backend>> on = paced_backends()) {
        std::ostringstream out, err;
        Ended ended;
        ended.code = run_program(words, {out, err, on});
        ended.out = out.str();
        ended.err = err.str();
        return ended;
    }
    /// Expects exit code 2, `word` in the message, and no standard output.
    static void expect_usage(const std::vector<std::string>& words, const std::string& word) {
        const Ended e = run(words);
        EXPECT_EQ(e.code, 2) << words.back();
        EXPECT_NE(e.err.find(word), std::string::npos) << e.err;
        EXPECT_EQ(e.out, "") << words.back();
    }
    /// @param command  for the shell; $P is the program. @returns its exit code
    static int shell(const std::string& command) {
        const std::string all = fmt::format("P='{}'; {}", std::getenv("PARALLAX_PROGRAM"), command);
        const int status = std::system(all.c_str());
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }
    /// Whether there is a device that is used without -d.
    static bool has_device() { return !find_devices(small_backends(), "host").entries.empty(); }

    static std::string text_of(const std::filesystem::path& path) {
        std::ifstream file(path, std::ios::binary);
        std::ostringstream text;
        text << file.rdbuf();
        return text.str();
    }
};

}  // namespace parallax::cli
