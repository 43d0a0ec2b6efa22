// Live diffs of the toy suite on two fake entries of one device, everything that is kept at hand.
#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "common/error.hpp"
#include "common/tests/toy_suite.hpp"
#include "records/result_set.hpp"
#include "studies/diff/live_diff.hpp"

namespace parallax::test {

class LiveDiffs : public testing::Test {
protected:
    std::shared_ptr<fake::Script> script_a_ = fake::toy_script(), script_b_ = fake::toy_script();
    std::vector<std::unique_ptr<Backend>> backends_;
    LiveRequest request_;
    RunConfig config_;
    ResultSet kept_;
    std::vector<std::string> troubles_;
    /// Called with what runs now.
    std::function<void(const std::string&)> progress_ = [](const std::string&) {};

    LiveDiffs() {
        for (const auto& [script, name] : {std::pair{script_a_, "opencl"}, {script_b_, "cuda"}}) {
            auto backend = std::make_unique<fake::FakeBackend>(script, name);
            backend->inventory.devices.at(0).uuid = Uuid{1};
            backends_.push_back(std::move(backend));
        }
        const Devices devices = find_devices(backends_);
        request_.a = devices.entries.at(0);
        request_.b = devices.entries.at(1);
        request_.what.picks = {{&suites()[0], &suites()[0].variants[0]}};
        request_.what.shapes = {{{1000}}};
        request_.what.budget_seconds = 20;
        config_.kernel_source = [](std::string_view) { return std::string(fake::toy_text); };
        config_.rule.most_seconds = 0.1;
        kept_.name = "live";
    }

    /// Runs it. Every line that is kept is valid, or the test fails.
    void run() {
        const RunInfo info{"one", "2026-01-01T00:00:00Z", 0, {"diff"}};
        run_live(request_, config_, info,
                 {.progress = [&](const Progress& p) { progress_(p.what); },
                  .keep =
                      [&](const ResultEntry& line) {
                          ReadLine read = read_line(to_json(line));
                          for (const std::string& problem : read.problems) {
                              ADD_FAILURE() << problem << "\n" << text_of(line);
                          }
                          kept_.take(std::move(read.line));
                      },
                  .trouble = [&](const std::string& text) { troubles_.push_back(text); }});
    }

    Diff diff() const { return build_diff(sides_within(kept_, {}), request_.judgement); }

    /// The record of a side. There is one.
    const Record& side(char name) const {
        const Record* found = nullptr;
        for (const Record& record : kept_.records) {
            if (record.side != name) continue;
            EXPECT_FALSE(found) << "two records of side " << name;
            found = &record;
        }
        if (!found) throw Error("There is no such side.");
        return *found;
    }
    std::size_t count_pairs(bool self) const {
        std::size_t count = 0;
        for (const Pair& pair : kept_.pairs) count += pair.self == self;
        return count;
    }
};

}  // namespace parallax::test
