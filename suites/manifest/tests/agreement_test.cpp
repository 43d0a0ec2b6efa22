// Tests the sources of references: a reference kernel, data, another device, or a second run.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "common/error.hpp"
#include "common/tests/fake_device.hpp"
#include "measure/run_case.hpp"
#include "measure/session.hpp"
#include "records/json.hpp"
#include "suites/manifest/manifest.hpp"
#include "suites/manifest/tests/folder.hpp"

namespace parallax::agreement_test {
namespace {

using testing::HasSubstr;
using testing::Not;

class Agreement : public testing::Test {
protected:
    testing_manifest::Folder folder_;
    Json json_ = testing_manifest::scale_manifest();
    std::shared_ptr<fake::Script> a_ = std::make_shared<fake::Script>(),
                                  b_ = std::make_shared<fake::Script>();
    std::vector<std::unique_ptr<Backend>> backends_;

    static fake::HostKernel scaled_by(float more) {
        return [more](const fake::HostLaunch& launch) {
            const auto x = launch.buffer<float>(2), y = launch.buffer<float>(3);
            for (std::size_t i = 0; i < launch.scalar<std::uint32_t>(0); ++i) {
                y[i] = launch.scalar<float>(1) * x[i] + more;
            }
        };
    }

    Agreement() {
        folder_.write("scale.cl", std::string(testing_manifest::scale_text) +
                                      "__kernel void twice(__global int* y) { y[0] *= 2; }\n");
        for (const auto& script : {a_, b_}) {
            script->kernels["scale"] = scaled_by(0);
            script->kernels["twice"] = [](const fake::HostLaunch& launch) {
                for (std::int32_t& one : launch.buffer<std::int32_t>(0)) one = 2 * one + 1;
            };
        }
        backends_.push_back(std::make_unique<fake::FakeBackend>(a_, "one"));
        backends_.push_back(std::make_unique<fake::FakeBackend>(b_, "two"));
    }

    std::vector<Outcome> run(const Suite& suite, std::size_t devices = 2) {
        Request request;
        request.picks = {{&suite, nullptr}};
        request.shapes = {{{64}}};
        request.budget_seconds = 5;
        std::vector<Entry> entries = find_devices(backends_).entries;
        RunConfig context;
        context.reference_entries = [entries] { return std::vector{entries.back()}; };
        context.kernel_source = [](std::string_view) -> std::string {
            throw Error("a manifest has its own texts");
        };
        context.rule.most_seconds = 0.1;
        entries.resize(devices);
        std::vector<Outcome> outcomes;
        for (const Case& c : expand(request)) {
            for (const Entry& entry : entries) {
                ReferenceCache references(1 << 20);
                references.set_reference_provider(references_among(entries, context));
                context.references = &references;
                outcomes.push_back(run_case(*entry.open(), c, {}, context));
                const Record record = to_record(outcomes.back(), entry.info, {.id = "id"});
                EXPECT_TRUE(problems_of(to_json(record)).empty());
            }
        }
        return outcomes;
    }
    Suite load() { return suite_from((folder_.path / "m.json").string(), json_.dump()); }
};

TEST_F(Agreement, TheOtherDeviceIsWitness) {
    const Suite suite = load();
    const auto outcomes = run(suite);
    ASSERT_EQ(outcomes.size(), 2u);
    EXPECT_EQ(outcomes[0].status, Status::ok) << outcomes[0].reason;
    EXPECT_EQ(outcomes[0].checked->against, "two:0");
    EXPECT_EQ(outcomes[1].checked->against, "one:0");
    b_->kernels["scale"] = scaled_by(0.5f);
    const auto differing = run(suite);
    EXPECT_EQ(differing[0].status, Status::wrong) << "the two do not agree";
    EXPECT_THAT(differing[0].reason, HasSubstr(", two:0 has "));
    EXPECT_THAT(differing[0].reason, Not(HasSubstr("Another launch")));
    b_->kernels["scale"] = [by = 0.5f](const fake::HostLaunch& launch) mutable {
        scaled_by(by += 0.25f)(launch);
    };
    EXPECT_THAT(run(suite)[0].reason, HasSubstr("Another launch on two:0 with equal inputs gave"));
}

TEST_F(Agreement, AloneItIsItsOwn) {
    const Suite suite = load();
    const auto outcomes = run(suite, 1);
    EXPECT_EQ(outcomes[0].status, Status::ok) << outcomes[0].reason;
    EXPECT_EQ(outcomes[0].checked->against, "itself");
    EXPECT_TRUE(is_agreement("itself"));
    EXPECT_FALSE(is_agreement("reference kernel"));
    // Unwritten elements hold a poison, a different one in the second run.
    a_->kernels["scale"] = [](const fake::HostLaunch&) {};
    const auto unwritten = run(suite, 1);
    EXPECT_EQ(unwritten[0].status, Status::wrong);
    EXPECT_THAT(unwritten[0].checked->failure->what,
                HasSubstr("the kernel does not write it, and nor did the run"));
    a_->kernels["scale"] = [](const fake::HostLaunch&) { throw Error("it fell over"); };
    EXPECT_THAT(run(suite, 1)[0].reason,
                HasSubstr("The second run on one:0, which the first is compared with, failed"));
}

TEST_F(Agreement, ARecurrenceThatOverflowsKeepsNoAnswer) {
    json_["sizes"]["checked"] = {{1}, {1023}};
    const Suite suite = load();
    const auto has_doubt = [&](const fake::HostKernel& kernel) {
        for (const auto& script : {a_, b_}) script->kernels["scale"] = kernel;
        const Outcome o = run(suite)[0];
        EXPECT_EQ(o.status, Status::ok) << o.reason;
        return std::ranges::any_of(o.doubts, [](const Doubt& one) {
            return one.sentence.find("took the place of others") != std::string::npos;
        });
    };
    EXPECT_FALSE(has_doubt([](const fake::HostLaunch& launch) {
        const auto x = launch.buffer<float>(2), y = launch.buffer<float>(3);
        y[0] = x[0];
        for (std::size_t i = 1; i < y.size(); ++i)
            y[i] = i < 4 ? y[i - 1] + x[i] : std::numeric_limits<float>::infinity();
    })) << "only the first elements, which are not drawn again, tell";
    std::map<float, std::vector<float>> kept;
    EXPECT_TRUE(has_doubt([&](const fake::HostLaunch& launch) {
        const auto x = launch.buffer<float>(2), y = launch.buffer<float>(3);
        std::vector<float>& own = kept[x[0]];
        if (own.size() != y.size()) {
            scaled_by(0)(launch);
            own.assign(y.begin(), y.end());
        }
        std::ranges::copy(own, y.begin());
    }));
}

TEST_F(Agreement, AWitnessThatCannotIsNone) {
    const Suite suite = load();
    b_->kernels.erase("scale");
    EXPECT_EQ(run(suite)[0].checked->against, "itself");
}

TEST_F(Agreement, AReferenceKernelDecides) {
    folder_.write("ref.cl",
                  "__kernel void plain(__global const float* x, __global float* y, float a) {}");
    json_["reference"] = Json::parse(R"({"source": "ref.cl", "kernel": "plain", "items": [1],
        "global": ["n"], "arguments": [
            {"name": "x", "type": "float", "elements": "n", "fill": "zeros"},
            {"name": "y", "type": "float", "elements": "n", "use": "output"},
            {"name": "a", "type": "float", "value": 2.5}]})");
    b_->kernels["plain"] = [](const fake::HostLaunch& launch) {
        const auto x = launch.buffer<float>(0), y = launch.buffer<float>(1);
        for (std::size_t i = 0; i < x.size(); ++i) y[i] = launch.scalar<float>(2) * x[i];
    };
    const Suite suite = load();
    const auto outcomes = run(suite);
    EXPECT_EQ(outcomes[0].status, Status::ok) << outcomes[0].reason;
    EXPECT_EQ(outcomes[0].checked->against, "reference kernel");
    a_->kernels["scale"] = b_->kernels["scale"] = scaled_by(1);
    EXPECT_EQ(run(suite)[0].status, Status::wrong) << "they agree, and are wrong";
    b_->kernels.erase("plain");
    const auto lost = run(suite);
    EXPECT_EQ(lost[0].status, Status::failed);
    EXPECT_THAT(lost[0].reason, HasSubstr("reference kernel can run nowhere"));
}

TEST_F(Agreement, ExpectedDataDecide) {
    std::vector<float> right(64);
    for (std::size_t i = 0; i < right.size(); ++i) right[i] = 2.5f * static_cast<float>(i);
    folder_.write("y.bin", std::string(reinterpret_cast<const char*>(right.data()), 256));
    json_["arguments"].at(2)["fill"] = "iota";
    json_["sizes"] = {{"names", {"n"}}, {"timed", {{64}}}};
    json_["reference"] = {{"data", {{"y", "y.bin"}}}};
    const Suite suite = load();
    const auto outcomes = run(suite);
    EXPECT_EQ(outcomes[0].status, Status::ok) << outcomes[0].reason;
    EXPECT_EQ(outcomes[0].checked->against, "expected data");
    a_->kernels["scale"] = scaled_by(0.001f);
    EXPECT_EQ(run(suite)[0].status, Status::wrong);
}

TEST_F(Agreement, InOutIsRestoredForTheGateOnly) {
    json_["kernel"] = "twice";
    json_["arguments"] = Json::parse(
        R"([{"name": "y", "type": "int", "elements": "n", "use": "in_out", "fill": "iota"}])");
    json_["tolerance"] = "equal";
    unsigned launches = 0;
    std::vector<std::int32_t> first;
    const auto plain = a_->kernels["twice"];
    a_->kernels["twice"] = [&](const fake::HostLaunch& launch) {
        ++launches;
        first.push_back(launch.buffer<std::int32_t>(0)[0]);
        plain(launch);
    };
    const Suite suite = load();
    const auto outcomes = run(suite);
    EXPECT_EQ(outcomes[0].status, Status::ok) << outcomes[0].reason;
    ASSERT_TRUE(outcomes[0].timing);
    const unsigned trials = outcomes[0].checked->trials;
    ASSERT_GT(launches, trials);
    for (unsigned i = 0; i < trials; ++i) EXPECT_EQ(first.at(i), 0) << i;
    EXPECT_GT(std::ranges::count_if(first, [](std::int32_t v) { return v > 0; }), 0)
        << "timed launches go on from each other";
    // A wrong launch of verification is detected.
    a_->kernels["twice"] = [](const fake::HostLaunch& launch) {
        for (std::int32_t& one : launch.buffer<std::int32_t>(0)) ++one;
    };
    EXPECT_EQ(run(suite)[0].status, Status::wrong);
}

TEST_F(Agreement, StructsAreHeldToTheToleranceOfTheirMembers) {
    folder_.write("s.cl",
                  "typedef struct { float v; int c; } S;\n"
                  "__kernel void st(__global S* s) { s[get_global_id(0)].c += 1; }");
    json_["source"] = "s.cl";
    json_["kernel"] = "st";
    json_["arguments"] = Json::parse(
        R"([{"name": "s", "type": "S", "use": "in_out", "elements": "n", "members": [
            {"name": "v", "type": "float", "fill": {"value": 3}},
            {"name": "c", "type": "int", "fill": {"random": [0, 16]}}]}])");
    json_["tolerance"] = {{"relative", 1e-3}, {"absolute", 0}};
    const auto adds = [](std::uint32_t to_v, std::uint32_t to_c) {
        return [=](const fake::HostLaunch& launch) {
            const auto words = launch.buffer<std::uint32_t>(0);
            for (std::size_t i = 0; i < words.size(); ++i) words[i] += i % 2 == 0 ? to_v : to_c;
        };
    };
    a_->kernels["st"] = adds(0, 1);
    b_->kernels["st"] = adds(100, 1);
    const Suite suite = load();
    EXPECT_EQ(run(suite)[0].status, Status::ok) << "100 units in the last place are near";
    b_->kernels["st"] = adds(0, 2);
    EXPECT_EQ(run(suite)[0].status, Status::wrong) << "an integer is one off";
}

TEST_F(Agreement, WhatALaterKernelPutsBackIsNotSuspicious) {
    folder_.write(
        "row.cl",
        "__kernel void mark(__global int* y) {}\n__kernel void clear(__global int* y) {}");
    for (const char* key : {"kernel", "items", "groups"}) json_.erase(key);
    json_["source"] = "row.cl";
    json_["tolerance"] = "equal";
    json_["arguments"] = Json::parse(
        R"([{"name": "y", "type": "int", "elements": "n", "use": "in_out", "fill": "zeros"}])");
    const auto launch = [](const char* kernel) {
        return Json{{"kernel", kernel}, {"arguments", {"y"}}, {"items", {64}}, {"groups", {1}}};
    };
    json_["launches"] = {launch("mark"), launch("clear")};
    for (const auto& script : {a_, b_}) {
        for (const char* one : {"mark", "clear"}) {
            script->kernels[one] = [set = one[0] == 'm'](const fake::HostLaunch& to) {
                std::ranges::fill(to.buffer<std::int32_t>(0), set ? 1 : 0);
            };
        }
    }
    const Outcome row = run(load())[0];
    ASSERT_EQ(row.status, Status::ok) << row.reason;
    EXPECT_TRUE(remarks_of(*row.checked).empty());
    json_["launches"] = {launch("clear")};
    const Outcome alone = run(load())[0];
    ASSERT_EQ(alone.status, Status::ok) << alone.reason;
    EXPECT_FALSE(remarks_of(*alone.checked).empty()) << "one kernel alone changes nothing";
}

TEST_F(Agreement, ATextThatFollowsTheSizeIsBuiltForEach) {
    json_["constants"] = {{"ITEMS", "n"}};
    std::map<std::int64_t, unsigned> launches;
    for (const auto& script : {a_, b_}) {
        script->kernels["scale"] = [&, plain = scaled_by(0)](const fake::HostLaunch& launch) {
            ++launches[launch.constant("ITEMS")];
            EXPECT_EQ(launch.constant("ITEMS"), launch.scalar<std::uint32_t>(0));
            plain(launch);
        };
    }
    const Suite suite = load();
    for (const Outcome& one : run(suite)) {
        EXPECT_EQ(one.status, Status::ok) << one.reason;
        EXPECT_EQ(one.the_case["ITEMS"], 64) << "the record says it";
    }
    for (const std::int64_t size : {1, 33, 64}) EXPECT_GT(launches[size], 0u) << size;
}

TEST_F(Agreement, AToleranceThatTakesZerosIsSuspicious) {
    for (const double relative : {1e-5, 1.0}) {
        json_["tolerance"] = {{"relative", relative}, {"absolute", 0}};
        const Suite suite = load();
        for (const Outcome& one : run(suite)) {
            EXPECT_EQ(one.status, Status::ok) << one.reason;
            Doubts wide = one.doubts;
            std::erase_if(
                wide, [](const Doubt& doubt) { return doubt.kind != DoubtKind::wide_tolerance; });
            ASSERT_EQ(wide.size(), relative == 1.0 ? 1u : 0u) << "of both, and of all inputs";
            if (wide.empty()) continue;
            EXPECT_THAT(wide[0].sentence,
                        testing::AllOf(HasSubstr("what 'x' holds or zeros would pass for 100 % of "
                                                 "the elements of 'y'"),
                                       HasSubstr("with the inputs 'integers', 'random':")))
                << "1.5 x is allowed";
        }
    }
    // Where 0 is the only right value, zeros are not suspicious.
    for (const auto& script : {a_, b_}) {
        script->kernels["scale"] = [](const fake::HostLaunch& launch) {
            std::ranges::fill(launch.buffer<float>(3), -0.0f);
        };
    }
    const Suite suite = load();
    for (const Outcome& one : run(suite)) {
        EXPECT_EQ(one.status, Status::ok) << one.reason;
        EXPECT_EQ(std::ranges::count(one.doubts, DoubtKind::wide_tolerance, &Doubt::kind), 0);
    }
}

TEST_F(Agreement, AnOutputThatIsMostlyNaNIsSuspicious) {
    for (const double share : {0.25, 0.5}) {
        for (const auto& script : {a_, b_}) {
            script->kernels["scale"] = [share](const fake::HostLaunch& launch) {
                const auto x = launch.buffer<float>(2), y = launch.buffer<float>(3);
                const auto nans = static_cast<std::size_t>(share * static_cast<double>(y.size()));
                for (std::size_t i = 0; i < y.size(); ++i) y[i] = i < nans ? std::nanf("") : x[i];
            };
        }
        const Doubts doubts = run(load())[0].doubts;
        EXPECT_EQ(std::ranges::count(doubts, DoubtKind::not_a_number, &Doubt::kind) > 0,
                  share == 0.5);
    }
}

TEST_F(Agreement, NaNForSomeInputsIsNotSuspiciousWhereOthersShowNumbers) {
    json_["arguments"].at(2)["fill"] = {{"random", {-0.5, 1}}};
    for (const double least : {-0.25, 2.0}) {
        for (const auto& script : {a_, b_}) {
            script->kernels["scale"] = [least](const fake::HostLaunch& launch) {
                const auto x = launch.buffer<float>(2), y = launch.buffer<float>(3);
                for (std::size_t i = 0; i < y.size(); ++i)
                    y[i] = x[i] < static_cast<float>(least) ? std::nanf("") : 3 * x[i];
            };
        }
        const Doubts doubts = run(load())[0].doubts;
        EXPECT_EQ(std::ranges::count(doubts, DoubtKind::not_a_number, &Doubt::kind) > 0,
                  least == 2.0);
    }
}

TEST_F(Agreement, AnyOrderIsComparedByRows) {
    json_["arguments"].at(3)["order"] = {{"rows", 2}};
    json_["sizes"] = {{"names", {"n"}}, {"timed", {{64}}}, {"checked", {{2}, {32}}}};
    const auto turned = [](std::size_t by) {
        return [by](const fake::HostLaunch& launch) {
            const auto x = launch.buffer<float>(2), y = launch.buffer<float>(3);
            for (std::size_t i = 0; i < y.size(); ++i) y[(i + by) % y.size()] = x[i];
        };
    };
    a_->kernels["scale"] = turned(0);
    b_->kernels["scale"] = turned(2);
    EXPECT_EQ(run(load())[0].status, Status::ok) << run(load())[0].reason;
    b_->kernels["scale"] = turned(1);
    const Outcome torn = run(load())[0];
    EXPECT_EQ(torn.status, Status::wrong);
    EXPECT_THAT(torn.reason, HasSubstr("in ascending order, since its order is any"));
    json_["arguments"].at(3)["order"] = "any";
    EXPECT_EQ(run(load())[0].status, Status::ok);
    b_->kernels["scale"] = scaled_by(0.5f);
    EXPECT_EQ(run(load())[0].status, Status::wrong);
}

TEST_F(Agreement, RowsOfOutputsInAnyOrderBelongTogether) {
    const auto kernel = [](std::string_view second) {
        return fmt::format(
            "__kernel void scale(const uint n, const float a, __global const float* x, "
            "__global float* y, __global {}* z) {{}}\n",
            second);
    };
    const auto turned = [](std::size_t y_by, std::size_t z_by) {
        return [=](const fake::HostLaunch& launch) {
            const auto x = launch.buffer<float>(2), y = launch.buffer<float>(3);
            const auto z = launch.buffer<std::int32_t>(4);
            for (std::size_t i = 0; i < y.size(); ++i) {
                y[(i + y_by) % y.size()] = 2 * x[i];
                z[(i + z_by) % y.size()] = static_cast<std::int32_t>(i);
            }
        };
    };
    folder_.write("scale.cl", kernel("int"));
    json_["arguments"].at(3)["order"] = "any";
    json_["arguments"].push_back(
        {{"name", "z"}, {"type", "int"}, {"elements", "n"}, {"use", "output"}, {"order", "any"}});
    const auto untold = [&](std::size_t y_by, std::size_t z_by) {
        a_->kernels["scale"] = turned(0, 0);
        b_->kernels["scale"] = turned(y_by, z_by);
        const Outcome one = run(load())[0];
        EXPECT_EQ(one.status, Status::ok) << one.reason;
        return one.checked->untold;
    };
    EXPECT_THAT(untold(3, 3), Not(testing::Contains(HasSubstr("entries of"))));
    EXPECT_THAT(untold(3, 2), testing::Contains(HasSubstr("entries of 'z', 'y' at one index")));
}

TEST_F(Agreement, OfEqualValuesOneMayBeTakenForTheOther) {
    folder_.write("scale.cl",
                  "__kernel void scale(const uint n, const float a, __global const float* x, "
                  "__global float* y, const int pitch, const int rows, const int one) {}\n");
    for (const auto& [name, value] :
         {std::pair<const char*, Json>{"pitch", "2 * n"}, {"rows", 1}, {"one", 1}})
        json_["arguments"].push_back({{"name", name}, {"type", "int"}, {"value", value}});
    const auto untried = [&] {
        const Suite suite = load();
        const Case c = make_case(suite, suite.variants[0], {{64}}, ElementType::f32);
        return suite.untried(c, {{{1}}, {{33}}, {{64}}});
    };
    EXPECT_THAT(untried(),
                testing::Contains("Sizes other than 1, 33, 64. None has n % 3 = 2, n % 4 = 2, "
                                  "n % 4 = 3."));
    EXPECT_THAT(untried(), testing::Not(testing::Contains(HasSubstr("taken for each other"))))
        << "of what is fixed another sentence tells";
    json_["arguments"].at(4)["value"] = "n";
    EXPECT_THAT(untried(), testing::Contains("Whether 'n', 'pitch' are taken for each other: they "
                                             "are equal at each checked size."));
    json_["arguments"].at(4)["value"] = "n + 1";
    EXPECT_THAT(untried(), testing::Not(testing::Contains(HasSubstr("taken for each other"))));
}

TEST_F(Agreement, OfARaceOnlyCountsWhatIsWritten) {
    json_["arguments"].at(3)["order"] = "race";
    a_->kernels["scale"] = scaled_by(0);
    b_->kernels["scale"] = scaled_by(3);
    EXPECT_EQ(run(load())[0].status, Status::ok) << run(load())[0].reason;
    EXPECT_TRUE(run(load())[0].doubts.empty());
    b_->kernels["scale"] = [](const fake::HostLaunch& launch) {
        std::ranges::fill(launch.buffer<float>(3), 0.0f);
    };
    const Outcome zeros = run(load())[1];
    EXPECT_EQ(zeros.status, Status::ok) << zeros.reason;
    ASSERT_EQ(zeros.doubts.size(), 1u);
    EXPECT_THAT(zeros.doubts[0].sentence, HasSubstr("'y' holds one number in all elements, where"));
    b_->kernels["scale"] = [](const fake::HostLaunch& launch) {
        std::ranges::fill(launch.buffer<float>(3).subspan(1), 1.0f);
    };
    const Outcome less = run(load())[0];
    EXPECT_EQ(less.status, Status::wrong);
    EXPECT_THAT(less.reason, HasSubstr("which elements were written"));
}

TEST_F(Agreement, WholeNumbersMayBeTheBitsOfOthers) {
    folder_.write("scale.cl",
                  "__kernel void scale(const uint n, const float a, __global const float* x, "
                  "__global uint* y) {}\n");
    json_["tolerance"] = {{"relative", 1e-3}};
    EXPECT_EQ(run(load())[0].status, Status::ok);
    b_->kernels["scale"] = [](const fake::HostLaunch& launch) {
        const auto x = launch.buffer<float>(2), y = launch.buffer<float>(3);
        for (std::size_t i = 0; i < y.size(); ++i) y[i] = 2.5001f * x[i];
    };
    EXPECT_EQ(run(load())[0].status, Status::ok) << "within the tolerance of the numbers";
    json_["arguments"].at(3)["type"] = "double";
    EXPECT_THROW(load(), UsageError) << "of another size";
}

TEST(Doubts, AreOfWhatNeverChanges) {
    VerificationResult checked;
    checked.shapes = {Shape{{64}}, Shape{{99}}};
    checked.altered = {{"y", false}, {"z", true}};
    ASSERT_EQ(remarks_of(checked).doubts.size(), 1u);
    EXPECT_EQ(remarks_of(checked).doubts.front().kind, DoubtKind::unwritten_output);
    EXPECT_THAT(remarks_of(checked).doubts.front().sentence, testing::StartsWith("'y' holds"));
    checked.altered["y"] = true;
    EXPECT_TRUE(remarks_of(checked).empty());
    const auto note = [&](std::uint64_t n, const char* pattern, const char* in, const char* out) {
        checked.held[""][output_key({{n}}, pattern)] = in;
        checked.held["y"][output_key({{n}}, pattern)] = out;
        checked.held["z"][output_key({{n}}, pattern)] = std::string(pattern) + in;
    };
    note(64, "integers", "a", "same");
    note(64, "random", "a", "same");
    EXPECT_TRUE(remarks_of(checked).empty()) << "the inputs are the same";
    note(99, "integers", "a", "same");
    note(99, "random", "b", "same");
    ASSERT_EQ(remarks_of(checked).doubts.size(), 1u);
    EXPECT_EQ(remarks_of(checked).doubts.front().kind, DoubtKind::same_for_others);
    EXPECT_THAT(remarks_of(checked).doubts.front().sentence,
                testing::HasSubstr("'y' is the same for other"));
    note(64, "random", "b", "other");
    EXPECT_TRUE(remarks_of(checked).empty()) << "at one size they differ";
}

TEST(Doubts, ANumberBesideAnotherOutputIsNone) {
    VerificationResult checked;
    checked.shapes = {Shape{{1}}, Shape{{99}}};
    checked.altered = {{"lock", false}, {"sum", true}};
    checked.lengths = {{"lock", 1}, {"sum", 1}};
    EXPECT_TRUE(remarks_of(checked).empty());
    checked.lengths["lock"] = 2;
    EXPECT_EQ(remarks_of(checked).doubts.size(), 1u);
    checked.altered.clear();
    const auto note = [&](const char* name, std::uint64_t n, const char* ints, const char* random) {
        checked.held[name][output_key({{n}}, "integers")] = ints;
        checked.held[name][output_key({{n}}, "random")] = random;
    };
    for (const std::uint64_t n : {1, 99}) {
        note("", n, "a", "b");
        note("done", n, "same", "same");
    }
    checked.lengths = {{"done", 1}, {"part", 7}};
    EXPECT_TRUE(remarks_of(checked).empty()) << "'part' has one element at the smallest size";
    checked.lengths["part"] = 1;
    ASSERT_EQ(remarks_of(checked).doubts.size(), 1u);
    note("part", 99, "c", "d");
    EXPECT_TRUE(remarks_of(checked).empty()) << "'part' is another one for other inputs";
    checked.lengths["done"] = 7;
    EXPECT_EQ(remarks_of(checked).doubts.size(), 1u);
}

TEST(Doubts, AnswersThatVaryAreANoteAndNoDoubt) {
    VerificationResult checked;
    checked.against = expected_data;
    checked.repeatable = true;
    EXPECT_TRUE(remarks_of(checked).empty());
    checked.repeatable = false;
    EXPECT_THAT(remarks_of(checked).notes, testing::ElementsAre(HasSubstr("gave different bits")));
    EXPECT_TRUE(remarks_of(checked).doubts.empty());
    checked.against = "reference";
    EXPECT_TRUE(remarks_of(checked).empty());
}

}  // namespace
}  // namespace parallax::agreement_test
