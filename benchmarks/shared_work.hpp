// The command line of the programs that share their work among processes: `DEVICE... [--NAME N]...`
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/process/parallel.hpp"
#include "studies/mutation/deal.hpp"
#include "suites/case_words.hpp"

namespace parallax {

struct SharedWork {
    std::vector<std::string> devices = {};
    std::map<std::string, std::uint64_t> numbers = {};  ///< the known ones, with their defaults
    /// The file of deal(), in one of its processes.
    std::optional<int> file = {};

    /// As deal(), to this program with these numbers.
    std::vector<std::string> results_of(const std::vector<std::string>& devices_of_each,
                                        const std::vector<std::size_t>& places) const {
        std::vector<std::string> words = devices_of_each;
        for (const auto& [name, number] : numbers)
            words.insert(words.end(), {"--" + name, std::to_string(number)});
        words.emplace_back("--judge");
        return deal(std::filesystem::read_symlink("/proc/self/exe"), words, places,
                    static_cast<unsigned>(numbers.at("jobs")));
    }
};

/// Reads the command line into `work`, and runs it. @returns the exit code; 2: it cannot be done
inline int run_shared(int argc, char** argv, SharedWork work,
                      const std::function<int(const SharedWork&)>& run) {
    try {
        work.numbers.emplace("jobs", usable_cores());
        for (int i = 1; i < argc; ++i) {
            const std::string word = argv[i], value = i + 1 < argc ? argv[i + 1] : "";
            const auto number = [&](std::uint64_t most) {
                return ++i, parse_number(word, value, 1, most);
            };
            if (!word.starts_with("--")) {
                work.devices.push_back(word);
            } else if (word == "--judge") {
                work.file = static_cast<int>(number(std::numeric_limits<int>::max()));
            } else if (const auto known = work.numbers.find(word.substr(2));
                       known != work.numbers.end()) {
                known->second = number(std::numeric_limits<std::uint64_t>::max());
            } else {
                throw UsageError(fmt::format("There is no '{}'.", word));
            }
        }
        if (!work.file) share_cores(static_cast<unsigned>(work.numbers.at("jobs")));
        return run(work);
    } catch (const std::exception& error) {
        fmt::print(stderr, "{}: {}\n", argv[0], error.what());
        return 2;
    }
}

}  // namespace parallax
