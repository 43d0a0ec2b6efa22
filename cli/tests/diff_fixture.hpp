// Shared by tests of `parallax diff`: files made of real records.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cli/tests/command_line.hpp"
#include "records/record.hpp"
#include "records/results.hpp"

namespace parallax::cli {

inline const std::string committed =
    std::string(SOURCE_ROOT "/results") + "/nvidia-h100-80gb-hbm3/run.jsonl";
inline const Words formats{"text", "md", "html", "json", "junit"};

inline bool holds(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

inline Words operator+(Words words, const Words& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

/// Files made of a real record with changed times, runs and names.
class Diffs : public CommandLine {
protected:
    /// A measured record of reduction/vector on `backend`.
    static Json real_record(const std::string& backend = "opencl") {
        static const JsonResults file = json_results(committed);
        const auto found = std::ranges::find_if(file.records, [&](const Json& record) {
            return record["suite"] == "reduction" && record["variant"] == "vector" &&
                   record["where"]["backend"] == backend;
        });
        return *found;
    }
    static std::string size_of_real() { return real_record()["shape"][0].dump(); }
    /// The record with this median.
    static Json lasting(Json record, double seconds) {
        Json& timing = record["timing"];
        const double scale = seconds / timing["median"].get<double>();
        for (const char* name : {"median", "low", "high"}) {
            timing[name] = timing[name].get<double>() * scale;
        }
        for (const char* name : {"samples", "host_samples"}) {
            for (Json& sample : timing[name]) sample = sample.get<double>() * scale;
        }
        for (Json& rate : record["rate"]) rate = rate.get<double>() / scale;
        record["ceiling"]["share"] = record["ceiling"]["share"].get<double>() / scale;
        return record;
    }
    static Json not_ok(Json record, const std::string& status) {
        record["status"] = status;
        record["reason"] = "It is so.";
        record.erase("timing");
        return record;
    }
    /// Several runs of the record, whose times scatter by `spread`.
    static std::vector<Json> runs(const Json& record, double seconds, double spread = 0.001,
                                  int count = 5) {
        std::vector<Json> all;
        for (int i = 0; i < count; ++i) {
            Json one = lasting(record, seconds * (1 + spread * (i - count / 2)));
            one["run"]["id"] = fmt::format("run-{}", i);
            all.push_back(std::move(one));
        }
        return all;
    }
    static void keep(const std::string& name, const std::vector<Json>& records) {
        std::ofstream file(name);
        for (const Json& record : records) file << record.dump() << "\n";
    }
    static void put(const std::string& name, const std::string& text) {
        std::ofstream(name, std::ios::binary) << text;
    }
    /// a.jsonl, and b.jsonl whose times are `ratio` of a's.
    static void put_two(double ratio, double spread = 0.001) {
        keep("a.jsonl", runs(real_record(), 1e-3, spread));
        keep("b.jsonl", runs(real_record(), 1e-3 * ratio, spread));
    }
    static Ended diff(const Words& words) { return run(Words{"diff"} + words); }
    /// The exit code of a diff of a.jsonl and b.jsonl.
    static int code(const Words& words = {}) {
        const Ended e = diff(Words{"a.jsonl", "b.jsonl"} + words);
        EXPECT_EQ(e.err, "");
        return e.code;
    }
    static Json json(const Words& words) {
        const Ended e = diff(words + Words{"--format", "json"});
        EXPECT_TRUE(Json::accept(e.out)) << e.out << e.err;
        return Json::accept(e.out) ? Json::parse(e.out) : Json();
    }
    static std::string only_verdict() {
        const Json report = json({"a.jsonl", "b.jsonl"});
        EXPECT_EQ(report["cases"].size(), 1u);
        return report["cases"].at(0)["verdict"];
    }
    static inline const Words decision{"--max-slowdown", "5%"};
};

}  // namespace parallax::cli
