// Calls into a device fail, each once and in each way that it may, under all that measures a case:
// a run, a diff and an explanation on the toy.
#include <algorithm>
#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/tests/faulty_backend.hpp"
#include "common/tests/scripted_clock.hpp"
#include "common/tests/thorough.hpp"
#include "common/tests/toy_suite.hpp"
#include "measure/session.hpp"
#include "records/result_set.hpp"
#include "studies/diff/live_diff.hpp"
#include "studies/explain/explain.hpp"

namespace parallax::faults_test {
namespace {

using fake::Fault;
using fake::Ledger;
using testing::HasSubstr;
using testing::IsEmpty;

/// The result of a run.
struct ProcessResult {
    std::vector<Record> records;
    std::vector<Pair> pairs;
    std::vector<Explanation> explanations;
    std::vector<std::string> said;  ///< trouble, and the error that got out

    bool says(const std::string& what) const {
        const auto has = [&](const std::string& text) { return text.find(what) != text.npos; };
        return std::ranges::any_of(said, has) ||
               std::ranges::any_of(records, [&](const Record& r) { return has(r.reason); });
    }
};

/// Two entries of one device, `opencl:0` and `cuda:0`, each of which has its ledger.
class Faults : public testing::Test {
protected:
    std::shared_ptr<fake::Script> script_ = fake::toy_script();
    std::shared_ptr<Ledger> a_ = std::make_shared<Ledger>(), b_ = std::make_shared<Ledger>();
    std::vector<std::unique_ptr<Backend>> real_, backends_;
    unsigned workers_ = 0;
    std::size_t tried_ = 0;

    Faults() {
        script_->ptx_of = [](const Program&) { return ".visible .entry twice()\n{\nret;\n}\n"; };
        for (const auto& [ledger, name] : {std::pair{a_, "opencl"}, {b_, "cuda"}}) {
            auto backend = std::make_unique<fake::FakeBackend>(script_, name);
            backend->inventory.devices.at(0).uuid = Uuid{1};
            backend->inventory.devices.at(0).is_gpu = true;
            // So that memory that only moves the rest is small.
            backend->inventory.devices.at(0).max_allocation_bytes = 1 << 17;
            real_.push_back(std::move(backend));
            backends_.push_back(std::make_unique<fake::FaultyBackend>(*real_.back(), ledger));
        }
    }

    RunConfig config() const {
        RunConfig config;
        config.kernel_source = [](std::string_view) { return std::string(fake::toy_text); };
        config.rule.most_seconds = 0.01;
        config.workers = workers_;
        return config;
    }
    static Request request() {
        Request request;
        request.picks = {{&suites()[0], &suites()[0].variants[0]}};
        request.shapes = {{{100}}};
        request.budget_seconds = 1e6;
        return request;
    }
    static RunInfo run_info() { return {"one", "2026-01-01T00:00:00Z", 0, {"test"}}; }

    static void take(const ResultEntry& line, ProcessResult& ended) {
        if (const auto* record = std::get_if<Record>(&line)) ended.records.push_back(*record);
        if (const auto* pair = std::get_if<Pair>(&line)) ended.pairs.push_back(*pair);
        if (const auto* one = std::get_if<Explanation>(&line)) ended.explanations.push_back(*one);
    }

    ProcessResult run() const {
        ProcessResult ended;
        run_session(request(), {find_devices(backends_).entries.at(1)}, config(), run_info(),
                    {.progress = {},
                     .record = [&](const Record& record) { ended.records.push_back(record); },
                     .trouble = [&](const std::string& text) { ended.said.push_back(text); }});
        return ended;
    }

    ProcessResult diff() const {
        const Devices devices = find_devices(backends_);
        ProcessResult ended;
        Request what = request();
        what.budget_seconds = 5;
        run_live({what, devices.entries.at(0), devices.entries.at(1), {}}, config(), run_info(),
                 {.progress = {},
                  .keep = [&](const ResultEntry& line) { take(line, ended); },
                  .trouble = [&](const std::string& text) { ended.said.push_back(text); }});
        return ended;
    }

    ProcessResult explained() const {
        const Devices devices = find_devices(backends_);
        const Suite& toy = suites()[0];
        ExplainRequest request;
        request.the_case = make_case(toy, toy.variants[0], {{100}}, ElementType::f32);
        request.a = devices.entries.at(0);
        request.b = devices.entries.at(1);
        request.all_knobs = true;
        request.stages = false;
        ProcessResult ended;
        explain(request, config(), run_info(),
                {.tell = {}, .keep = [&](const ResultEntry& line) { take(line, ended); }});
        return ended;
    }

    /// Lets calls of `ledger` fail once, and each of the first of every name in each way, and has
    /// `see` look at what came of it. What holds for all is seen here.
    /// @param step  1: each call. Otherwise the first three of every name, and of all others each
    ///              whose number `step` divides, unless is_thorough(): rounds are many, and do the
    ///              same
    template <class Do, class See>
    void each_call_fails(const std::shared_ptr<Ledger>& ledger, Do&& act, See&& see,
                         std::size_t step = 1) {
        if (test::is_thorough()) step = 1;
        const unsigned first = step == 1 ? 12 : 3;
        ledger->begin(0, {});
        act();
        const std::vector<std::string> calls = ledger->calls();
        ASSERT_GT(calls.size(), 10u);
        std::map<std::string, unsigned> seen;
        for (std::size_t nth = 1; nth <= calls.size(); ++nth) {
            const std::string& name = calls.at(nth - 1);
            std::vector<Fault> faults = fake::faults_of(name);
            if (++seen[name] > first) {
                if (nth % step != 0) continue;
                faults.resize(1);
            }
            for (const Fault fault : faults) {
                ledger->begin(nth, fault);
                ProcessResult ended;
                try {
                    ended = act();
                } catch (const Error& error) {
                    ended.said.push_back(error.what());
                } catch (const std::exception& error) {
                    ADD_FAILURE() << "no error of the program's: " << error.what();
                }
                const std::string call = ledger->failed();
                SCOPED_TRACE(testing::Message() << "call " << nth << " of " << calls.size() << ", "
                                                << call << ", fault " << int(fault));
                EXPECT_EQ(a_->alive, 0u);
                EXPECT_EQ(b_->alive, 0u);
                EXPECT_EQ(script_->live_bytes, 0u);
                EXPECT_THAT(script_->page_locked, IsEmpty());
                if (!call.empty()) see(call, fault, ended);
                ++tried_;
                if (HasFailure()) return;  // one is enough to read
            }
        }
        ledger->begin(0, {});  // no call of what comes next is to fail
    }
};

/// Whether a failure of the call is tolerable: the work is then done in another way.
bool is_optional(const std::string& call, Fault fault) {
    return call == "page-locked" || fault == Fault::null;
}

/// Whether it is one or not: a device may have room for the buffers, and none for the inputs twice.
bool may_be_optional(const std::string& call, Fault fault) {
    return call == "allocate" && fault == Fault::usage_error;
}

TEST_F(Faults, OfARunAreItsRecords) {
    std::map<std::string, std::set<Status>> seen;
    each_call_fails(
        b_, [&] { return run(); },
        [&](const std::string& call, Fault fault, const ProcessResult& ended) {
            ASSERT_LE(ended.records.size(), 1u);
            if (ended.records.empty()) {
                EXPECT_TRUE(ended.says(Ledger::message(call)));
                return;
            }
            const Record& record = ended.records[0];
            seen[call].insert(record.status);
            if (is_optional(call, fault)) {
                EXPECT_EQ(record.status, Status::ok) << record.reason;
            } else if (may_be_optional(call, fault)) {
                EXPECT_THAT(record.status, testing::AnyOf(Status::ok, Status::unsupported));
            } else if (fault == Fault::usage_error || fault == Fault::unsupported) {
                EXPECT_EQ(record.status, Status::unsupported) << record.reason;
            } else {
                EXPECT_EQ(record.status, fault == Fault::refused ? Status::refused : Status::failed)
                    << record.reason;
            }
            if (record.status != Status::ok && fault != Fault::no_memory) {
                EXPECT_THAT(record.reason, HasSubstr(Ledger::message(call)));
            }
            EXPECT_EQ(record.timing.has_value(), record.status == Status::ok);
        });
    EXPECT_GT(tried_, 50u);
    for (const char* call : {"compile", "allocate", "write", "read", "run"})
        EXPECT_TRUE(seen[call].contains(Status::failed)) << call;
}

TEST_F(Faults, OfADiffAreOfTheirSide) {
    for (const bool on_b : {false, true}) {
        each_call_fails(
            on_b ? b_ : a_, [&] { return diff(); },
            [&](const std::string& call, Fault fault, const ProcessResult& ended) {
                const bool is_well = std::ranges::all_of(
                    ended.records, [](const Record& r) { return r.status == Status::ok; });
                // Where there is no room for memory that only moves the rest, it is left out.
                EXPECT_TRUE(is_optional(call, fault) || fault == Fault::no_memory ||
                            ended.says(Ledger::message(call)) ||
                            (fault == Fault::usage_error && is_well && !ended.pairs.empty()));
                for (const Record& record : ended.records) {
                    EXPECT_TRUE((record.side == 'b') == on_b || record.status == Status::ok)
                        << record.reason;
                }
                for (const Pair& pair : ended.pairs) {
                    EXPECT_TRUE(pair.self || is_well);
                }
            },
            on_b ? 29 : 31);
    }
    EXPECT_GT(tried_, 100u);
}

TEST_F(Faults, OfAnExplanationAreSaid) {
    for (const bool on_b : {false, true}) {
        each_call_fails(
            on_b ? b_ : a_, [&] { return explained(); },
            [&](const std::string&, Fault, const ProcessResult& ended) {
                EXPECT_TRUE(ended.explanations.size() == 1 || !ended.said.empty());
            },
            on_b ? 7 : 11);
    }
}

TEST_F(Faults, WithACrewAreNoLossEither) {
    workers_ = 2;
    each_call_fails(
        b_, [&] { return run(); },
        [&](const std::string& call, Fault fault, const ProcessResult& ended) {
            if (is_optional(call, fault) || may_be_optional(call, fault) || ended.records.empty())
                return;
            EXPECT_NE(ended.records[0].status, Status::ok);
        });
}

}  // namespace
}  // namespace parallax::faults_test
