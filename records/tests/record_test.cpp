// Tests that records and result files are read back as written, also after a crash.
#include <csignal>
#include <filesystem>
#include <fstream>
#include <limits>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include "common/device/ptxas.hpp"
#include "common/error.hpp"
#include "common/tests/toy_suite.hpp"
#include "common/text/hash.hpp"
#include "common/text/temporary_folder.hpp"
#include "measure/run_case.hpp"
#include "records/json.hpp"
#include "records/results.hpp"

namespace parallax::record_test {
namespace {

using namespace fake;

Record measured(Status status = Status::ok) {
    auto script = toy_script();
    if (status == Status::wrong) script->kernels["twice"] = [](const HostLaunch&) {};
    if (status == Status::failed) script->before = fail_nth("run", 1);
    FakeBackend backend(script);
    ReferenceCache references(1 << 20);
    RunConfig context;
    context.kernel_source = [](std::string_view) { return std::string(toy_text); };
    context.references = &references;
    context.rule.most_seconds = 0.2;
    const auto device = backend.open(backend.inventory.devices[0]);
    const Suite& toy = toy_suite();
    const Variant& variant = toy.variants[status == Status::unsupported ? 2 : 0];
    const Outcome o =
        run_case(*device, make_case(toy, variant, {{1000}}, ElementType::f32), {1e9, 1e9}, context);
    EXPECT_EQ(o.status, status) << o.reason;
    return to_record(o, device->info(), {"id", "2026-01-01T00:00:00Z", 1, {"run"}, "0.1.0"});
}

Json a_record(Status status = Status::ok) {
    return to_json(measured(status));
}

std::filesystem::path temporary(const std::string& name) {
    static const TemporaryFolder folder("parallax-record-");
    std::filesystem::remove(folder.file(name));
    return folder.file(name);
}

TEST(Record, IsValidWhateverTheStatus) {
    for (const Status status : {Status::ok, Status::wrong, Status::unsupported, Status::failed}) {
        const Json record = a_record(status);
        EXPECT_TRUE(problems_of(record).empty()) << problems_of(record).front() << record.dump(2);
        EXPECT_EQ(record["status"], name_of(status));
        EXPECT_EQ(record.contains("timing"), status == Status::ok);
    }
}

TEST(Record, KeepsAllSamples) {
    const Json record = a_record();
    EXPECT_GE(record["timing"]["samples"].size(), 3u);
    EXPECT_EQ(record["where"]["uuid"], "unknown");
    EXPECT_EQ(record["state"]["before"]["sm_clock_mhz"], "unknown");
    EXPECT_EQ(record["ceiling"]["of"], "copy");
}

TEST(Record, EveryNeededMemberIsMissed) {
    const Json whole = a_record();
    for (const auto& [name, value] : whole.items()) {
        if (name == "notes" || name == "ceiling") continue;  // may be absent
        Json record = whole;
        record.erase(name);
        EXPECT_FALSE(problems_of(record).empty()) << name;
        record[name] = Json::array({Json::object()});
        if (name == "launches") continue;  // is a list
        EXPECT_FALSE(problems_of(record).empty()) << name << " of another kind";
    }
}

TEST(Record, AFigureWithoutACheckIsNotARecord) {
    Json record = a_record();
    record["status"] = "wrong";
    record["reason"] = "x";
    EXPECT_FALSE(problems_of(record).empty());
    record = a_record();
    record["check"]["failure"] = Json::object();
    EXPECT_FALSE(problems_of(record).empty());
    record = a_record();
    record["version"] = 999;
    EXPECT_NE(problems_of(record).front().find("999"), std::string::npos);
}

TEST(Record, KnowsWhereItIsFrom) {
    Record record = measured();
    record.run.host = "nid000017";
    record.run.job = "4711";
    record.run.task = 67;
    record.where.settings = {.slot = 3,
                             .mig = "1g.10gb",
                             .mps = false,
                             .persistence = true,
                             .ecc = true,
                             .power_limit_watts = 700};
    const ReadLine back = read_line(to_json(record));
    ASSERT_TRUE(back.problems.empty()) << back.problems.front();
    const auto& read = std::get<Record>(back.line);
    EXPECT_EQ(read.where, record.where);
    EXPECT_EQ(read.run.host, "nid000017");
    EXPECT_EQ(read.run.job, "4711");
    EXPECT_EQ(read.run.task, 67U);

    const Json nowhere = a_record();
    EXPECT_EQ(nowhere["run"]["host"], "unknown");
    EXPECT_FALSE(nowhere["run"].contains("job"));
    EXPECT_EQ(nowhere["where"]["mig"], "unknown");
}

TEST(Record, ReadsLinesOfBeforeTheyKnewWhereTheyAreFrom) {
    Json old = a_record();
    old["run"].erase("host");
    for (const char* name : {"slot", "mig", "mps", "persistence", "ecc", "power_limit_watts"}) {
        ASSERT_EQ(old["where"].erase(name), 1U) << name;
    }
    const ReadLine back = read_line(old);
    ASSERT_TRUE(back.problems.empty()) << back.problems.front();
    EXPECT_EQ(std::get<Record>(back.line).where.settings, DeviceSettings{});
}

TEST(Record, NumbersThatJsonCannotHold) {
    EXPECT_EQ(number(1.5), 1.5);
    EXPECT_EQ(number(std::numeric_limits<double>::infinity()), "0x7ff0000000000000");
    EXPECT_EQ(number(std::numeric_limits<double>::quiet_NaN()), "0x7ff8000000000000");
    Json record = a_record();
    record["check"]["worst_ulp"] = number(std::numeric_limits<double>::infinity());
    EXPECT_TRUE(problems_of(record).empty());
}

TEST(Record, HashesTellTextsApart) {
    EXPECT_EQ(hash_of("a").size(), 32u);
    EXPECT_NE(hash_of("a"), hash_of("b"));
    EXPECT_EQ(hash_of(""),
              "99aa06d3014798d86001c324468d497f");  // XXH3_128bits of "", from its authors
}

TEST(Results, WhatIsWrittenIsReadBack) {
    const auto path = temporary("plain.jsonl");
    const Record a = measured(), b = measured(Status::wrong);
    {
        ResultWriter writer(path);
        writer.add(a);
        writer.add(b);
    }
    const ResultFile file = read_results(path);
    ASSERT_EQ(file.records.size(), 2u);
    EXPECT_EQ(to_json(file.records[0]), to_json(a));
    EXPECT_EQ(to_json(file.records[1]), to_json(b));
    EXPECT_FALSE(file.cut_short);
}

TEST(Results, AKilledProgramLosesOnlyItsLastLine) {
    const auto path = temporary("killed.jsonl");
    const Record record = measured();
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        // Writes endlessly, until it is killed.
        ResultWriter writer(path);
        while (true) writer.add(record);
    }
    while (!std::filesystem::exists(path) || std::filesystem::file_size(path) < 50000) usleep(1000);
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    const std::size_t before = read_results(path).records.size();
    EXPECT_GT(before, 0u);
    for (const Record& one : read_results(path).records) {
        EXPECT_EQ(to_json(one), to_json(record));
    }

    // Wherever the last line is cut, the earlier ones are read, and writing continues.
    const auto whole = std::filesystem::file_size(path);
    for (const std::uintmax_t cut : {1u, 2u, 100u, 1000u}) {
        std::filesystem::resize_file(path, whole - cut);
        const ResultFile file = read_results(path);
        EXPECT_GE(file.records.size() + 1, before);
    }
    { ResultWriter(path).add(record); }
    EXPECT_GE(read_results(path).records.size(), before);
    EXPECT_EQ(to_json(read_results(path).records.back()), to_json(record));
}

TEST(Results, WhatIsNotARecordIsSaidWithItsLine) {
    const auto path = temporary("other.jsonl");
    std::ofstream(path) << a_record().dump() << "\nhello\n" << a_record().dump() << "\n";
    try {
        read_results(path);
        FAIL();
    } catch (const UsageError& error) {
        EXPECT_NE(std::string(error.what()).find("other.jsonl:2"), std::string::npos)
            << error.what();
    }
    EXPECT_THROW(read_results(temporary("absent.jsonl")), UsageError);
    EXPECT_THROW(read_results(path.parent_path()), UsageError);
}

TEST(Results, WhatCannotBeWrittenIsSaid) {
    EXPECT_THROW(ResultWriter("/proc/nothing/here.jsonl"), UsageError);
    EXPECT_THROW(ResultWriter(temporary("x").parent_path()), UsageError);
    if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
    ResultWriter full("/dev/full");
    EXPECT_THROW(full.add(measured()), UsageError) << "a disk that is full";
}

TEST(Results, FoldersAreNamedAfterDevices) {
    EXPECT_EQ(folder_name("NVIDIA H100 80GB HBM3"), "nvidia-h100-80gb-hbm3");
    EXPECT_EQ(folder_name("  pthread-AMD EPYC (tm)/.. "), "pthread-amd-epyc-tm");
    EXPECT_EQ(folder_name("../"), "device");
}

}  // namespace
}  // namespace parallax::record_test
