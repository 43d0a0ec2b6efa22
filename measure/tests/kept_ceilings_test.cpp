// Tests stored ceilings: when they are reused, and when they are measured again.
#include "measure/kept_ceilings.hpp"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/tests/toy_suite.hpp"
#include "common/text/temporary_folder.hpp"
#include "measure/ceilings.hpp"
#include "measure/device_session.hpp"
#include "records/results.hpp"

namespace parallax::kept_ceilings_test {
namespace {

using namespace fake;
namespace fs = std::filesystem;

class KeptCeilings : public testing::Test {
protected:
    TemporaryFolder place_{"parallax-kept-"};
    fs::path folder_ = place_.path() / "new";
    std::shared_ptr<Script> script_ = toy_script();
    Suite suite_ = toy_suite();
    std::string text_ = toy_text;
    DeviceInfo info_ = fake_info();
    RunConfig config_;
    RunInfo run_{.id = "first",
                 .started = "2026-11-21T14:00:00Z",
                 .seed = 0,
                 .command = {},
                 .program_version = "1"};
    unsigned measured_ = 0;
    std::vector<Record> taken_;

    KeptCeilings() {
        info_.is_gpu = true;
        config_.kernel_source = [this](std::string_view) { return text_; };
        config_.ceilings_file = folder_ / "deep" / "ceilings.jsonl";
        config_.rule.rounds = 1;
        config_.rule.most_seconds = 0.1;
    }

    /// The toy suite as a ceiling: storage depends on no suite.
    Case the_case(std::size_t variant = 0) const {
        Case c = make_case(suite_, suite_.variants[variant], suite_.shapes[0], ElementType::f32);
        c.shape = {};
        return c;
    }
    Record ceiling() {
        FakeBackend backend(script_);
        const auto device = backend.open(info_);
        ReferenceCache references(1 << 20);
        RunConfig config = config_;
        config.references = &references;
        return measured_ceiling(the_case(), info_, config, run_,
                                {.device = [&] { return device.get(); },
                                 .run =
                                     [&](const Case& c) {
                                         ++measured_;
                                         return to_record(run_case(*device, c, {}, config), info_,
                                                          run_);
                                     },
                                 .take = [&](const Record& kept) { taken_.push_back(kept); }});
    }
    /// A run that begins an hour after the first.
    Record ceiling_later() {
        run_.id = "second";
        run_.started = "2026-11-21T15:00:00Z";
        return ceiling();
    }
    /// Changes the lines of the file.
    void change(const std::function<void(Record&)>& by) {
        ResultFile file = read_results(config_.ceilings_file);
        std::ofstream out(config_.ceilings_file);
        for (Record& record : file.records) {
            by(record);
            out << text_of(record) << "\n";
        }
    }
    std::size_t lines() const { return read_results(config_.ceilings_file).records.size(); }
};

TEST_F(KeptCeilings, TheNextRunTakesItAndSaysSo) {
    const Record first = ceiling();
    ASSERT_EQ(first.status, Status::ok) << first.reason;
    EXPECT_EQ(first.measured, "");
    const unsigned runs = script_->runs;
    info_.index = 3;
    const Record second = ceiling_later();
    EXPECT_EQ(measured_, 1u);
    EXPECT_EQ(script_->runs, runs) << "the device did nothing";
    ASSERT_EQ(taken_.size(), 1u);
    EXPECT_EQ(second.key, first.key);
    EXPECT_EQ(second.timing.value().samples, first.timing.value().samples);
    EXPECT_EQ(second.run.id, "second");
    EXPECT_EQ(second.device, "fake:3");
    EXPECT_EQ(second.measured, "2026-11-21T14:00:00Z");
    EXPECT_THAT(
        second.notes,
        testing::Contains(testing::HasSubstr("run first measured it on 2026-11-21T14:00:00Z")));
    EXPECT_EQ(lines(), 1u) << "what was taken is not kept once more";
}

TEST_F(KeptCeilings, WhatIsNotCertainStandsForNobody) {
    const Record good = ceiling();
    fs::remove(config_.ceilings_file);
    const auto is_kept = [&](const std::function<void(Record&, DeviceInfo&)>& change) {
        Record record = good;
        DeviceInfo info = info_;
        change(record, info);
        keep_ceiling(record, info, config_);
        const bool kept = fs::exists(config_.ceilings_file);
        fs::remove(config_.ceilings_file);
        return kept;
    };
    EXPECT_TRUE(is_kept([](Record&, DeviceInfo&) {}));
    EXPECT_FALSE(is_kept([](Record& r, DeviceInfo&) { r.status = Status::wrong; }));
    EXPECT_FALSE(is_kept([](Record& r, DeviceInfo&) { r.after.other_processes = 1; }));
    EXPECT_FALSE(is_kept([](Record& r, DeviceInfo&) { r.after.throttle_reasons = 0x40; }));
    EXPECT_FALSE(is_kept([](Record&, DeviceInfo& info) { info.is_gpu = false; }));
    EXPECT_FALSE(is_kept([](Record& r, DeviceInfo&) {
        r.timing->estimate.low *= 0.9;
        r.timing->estimate.high *= 1.1;
    }));
}

TEST_F(KeptCeilings, NobodyWantsIt) {
    ceiling();
    config_.fresh_ceilings = true;
    EXPECT_EQ(ceiling_later().measured, "");
    EXPECT_EQ(measured_, 2u);
    EXPECT_EQ(read_results(config_.ceilings_file).records.at(0).run.id, "second") << "it is kept";
    EXPECT_EQ(lines(), 1u) << "in the place of the first";
    config_.ceilings_file.clear();
    config_.fresh_ceilings = false;
    ceiling_later();
    EXPECT_EQ(measured_, 3u) << "no file";
}

/// A change from one run to the next.
struct Other {
    const char* name;
    std::function<void(DeviceInfo&, RunInfo&, RunConfig&, std::string& text)> change;
};
class OtherRuns : public KeptCeilings, public testing::WithParamInterface<Other> {};

TEST_P(OtherRuns, MeasureAnew) {
    info_.uuid = Uuid{1};
    ceiling();
    run_.started = "2026-11-21T15:00:00Z";
    GetParam().change(info_, run_, config_, text_);
    EXPECT_EQ(ceiling().measured, "");
    EXPECT_EQ(measured_, 2u);
    EXPECT_TRUE(taken_.empty());
}

INSTANTIATE_TEST_SUITE_P(
    , OtherRuns,
    testing::Values(
        Other{"driver", [](auto& on, auto&, auto&, auto&) { on.driver_version = "2"; }},
        Other{"compiler", [](auto& on, auto&, auto&, auto&) { on.compiler_version = "2"; }},
        Other{"device", [](auto& on, auto&, auto&, auto&) { on.uuid = Uuid{2}; }},
        Other{"backend", [](auto& on, auto&, auto&, auto&) { on.backend = "other"; }},
        Other{"name", [](auto& on, auto&, auto&, auto&) { on.name = "Fake Device 2"; }},
        Other{"program", [](auto&, auto& run, auto&, auto&) { run.program_version = "2"; }},
        Other{"age", [](auto&, auto& run, auto&, auto&) { run.started = "2026-11-22T14:00:01Z"; }},
        Other{"future",
              [](auto&, auto& run, auto&, auto&) { run.started = "2026-11-21T13:59:59Z"; }},
        Other{"no_time", [](auto&, auto& run, auto&, auto&) { run.started = ""; }},
        Other{"rounds", [](auto&, auto&, auto& config, auto&) { config.rule.rounds = 2; }},
        Other{"batches", [](auto&, auto&, auto& config, auto&) { config.rule.batch_seconds *= 2; }},
        Other{"floats",
              [](auto&, auto&, auto& config, auto&) { config.floats.rules.contract = true; }},
        Other{"text", [](auto&, auto&, auto&, auto& text) { text += "\n"; }}),
    [](const auto& one) { return one.param.name; });

TEST_F(KeptCeilings, ADayIsNotTooLong) {
    ceiling();
    run_.started = "2026-11-22T14:00:00Z";
    EXPECT_EQ(ceiling().measured, "2026-11-21T14:00:00Z");
}

TEST_F(KeptCeilings, OtherLimitsOfTheDeviceMeasureAnew) {
    unsigned expected = 1;
    ceiling();
    for (const auto& by : std::vector<std::function<void(DeviceState&)>>{
             [](DeviceState& state) { state.max_sm_clock_mhz = 1980; },
             [](DeviceState& state) { state.power_limit_watts = 700; },
             [](DeviceState& state) { state.ecc = true; }}) {
        change([&](Record& record) { by(record.after); });
        EXPECT_EQ(ceiling_later().measured, "");
        EXPECT_EQ(measured_, ++expected);
    }
    change([](Record& record) { record.after.sm_clock_mhz = 345; });
    EXPECT_NE(ceiling_later().measured, "") << "the clock of a moment is no limit";
}

TEST_F(KeptCeilings, OtherCasesAreNotIt) {
    ceiling();
    change([](Record& record) { record.key.shape = {7}; });
    ceiling_later();
    EXPECT_EQ(measured_, 2u) << "no shape of the suite";
    change([](Record& record) { record.key.type = "int"; });
    ceiling_later();
    EXPECT_EQ(measured_, 3u);
    EXPECT_EQ(lines(), 2u) << "another type is another ceiling";
    change([](Record& record) { record.key.constants.at(0).value = 5; });
    ceiling_later();
    EXPECT_EQ(measured_, 4u);
}

TEST_F(KeptCeilings, WhatIsNotOkIsNotKept) {
    script_->kernels["twice"] = [](const HostLaunch&) {};
    EXPECT_EQ(ceiling().status, Status::wrong);
    EXPECT_FALSE(fs::exists(config_.ceilings_file));
}

TEST_F(KeptCeilings, TooOldOnesAreDropped) {
    ceiling();
    change([](Record& record) { record.where.name = "Another Device"; });
    ceiling();
    EXPECT_EQ(lines(), 2u) << "each device has its own";
    run_.started = "2026-11-23T14:00:00Z";
    ceiling();
    EXPECT_EQ(lines(), 1u);
}

TEST_F(KeptCeilings, ADamagedFileIsReplaced) {
    for (const std::string& content :
         {std::string("no record\n"), std::string(100, '\0'), std::string("{\"schema\":")}) {
        fs::create_directories(config_.ceilings_file.parent_path());
        std::ofstream(config_.ceilings_file) << content;
        EXPECT_EQ(ceiling().measured, "");
        EXPECT_EQ(lines(), 1u);
    }
    std::ofstream(config_.ceilings_file, std::ios::app) << "{\"schema\":";
    EXPECT_NE(ceiling_later().measured, "") << "a line that was cut short spoils no other";
}

TEST_F(KeptCeilings, WhereNothingCanBeWrittenOrReadItIsMeasured) {
    fs::create_directories(config_.ceilings_file);  // a folder blocks the file
    EXPECT_EQ(ceiling().status, Status::ok);
    EXPECT_EQ(ceiling_later().measured, "");
    EXPECT_TRUE(fs::is_empty(config_.ceilings_file));
    EXPECT_EQ(std::distance(fs::directory_iterator(config_.ceilings_file.parent_path()), {}), 1)
        << "no temporary file is left";
    config_.ceilings_file = folder_ / "file" / "ceilings.jsonl";
    std::ofstream(folder_ / "file") << "no folder";
    EXPECT_EQ(ceiling().status, Status::ok);
    EXPECT_EQ(measured_, 3u);
}

TEST(CeilingTypes, OperationsOfAUsersKernelAreHeldAgainstThoseOfFloat) {
    auto script = toy_script();
    std::vector<std::unique_ptr<Backend>> backends;
    backends.push_back(std::make_unique<FakeBackend>(script));
    const Entry entry = find_devices(backends).entries.at(0);
    Suite suite = toy_suite();
    suite.types = {ElementType::i32};
    suite.work = [](const Case&) { return Work{.bytes = 1, .operations = 1}; };
    Case c = make_case(suite, suite.variants[0], {{10}}, ElementType::i32);
    MeasurementContext context({}, {entry});
    DeviceSession& session = context.add_session(entry);
    session.ceilings[ElementType::f32].operations_per_second = 7;
    EXPECT_EQ(ceiling_types({c}), std::set{ElementType::i32});
    EXPECT_EQ(session.ceiling_of(c).operations_per_second, 0) << "the program's own";
    suite.manifest = "mine.json";
    EXPECT_EQ(ceiling_types({c}), (std::set{ElementType::f32, ElementType::i32}));
    EXPECT_EQ(session.ceiling_of(c).operations_per_second, 7);
    suite.work = [](const Case&) { return Work{.bytes = 1}; };
    EXPECT_EQ(ceiling_types({c}), std::set{ElementType::i32}) << "it counts no operations";
}

}  // namespace
}  // namespace parallax::kept_ceilings_test
