// Every kind of doubt reaches every reader, and no reader calls such an answer right.
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "records/json.hpp"
#include "records/tests/plain_lines.hpp"
#include "report/report.hpp"
#include "report/run/run_table.hpp"
#include "studies/diff/tests/kept.hpp"

namespace parallax::doubts_test {
namespace {

using test::Kept;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::vector<DoubtKind> all_kinds() {
    std::vector<DoubtKind> kinds;
    for (int i = 0; i <= static_cast<int>(DoubtKind::unnamed); ++i) {
        kinds.push_back(static_cast<DoubtKind>(i));
    }
    return kinds;
}

class EveryDoubt : public testing::TestWithParam<DoubtKind> {
protected:
    const std::string sentence_ =
        "a sentence about " + std::string(name_of(GetParam())) + " is said.";

    /// A line of a case that passed the checks, `checked` or timed.
    Json doubtful(bool is_timed, Kept kept = test::on_cuda()) const {
        Record record = fake::as<Record>(
            test::line(is_timed ? kept : test::ended(Status::checked, "It is so.", kept)));
        record.doubts = {{GetParam(), sentence_}};
        return to_json(record);
    }
    void expect_said(const std::string& text, const char* reader) const {
        EXPECT_THAT(text, AllOf(HasSubstr("doubtful"), HasSubstr(sentence_.substr(1)),
                                Not(HasSubstr("are right")), Not(HasSubstr("nothing wrong")),
                                Not(HasSubstr("was right"))))
            << reader;
    }
};
INSTANTIATE_TEST_SUITE_P(All, EveryDoubt, testing::ValuesIn(all_kinds()),
                         [](const auto& one) { return std::to_string(one.index); });

TEST_P(EveryDoubt, IsTheStatusOfALine) {
    for (const bool is_timed : {false, true}) {
        const Json json = doubtful(is_timed);
        EXPECT_EQ(json["status"], "doubtful");
        EXPECT_EQ(json["doubts"][0]["kind"], name_of(GetParam()));
        EXPECT_EQ(json["doubts"][0].contains("hint"), GetParam() != DoubtKind::unnamed);
        const Record again = fake::as<Record>(json);
        EXPECT_EQ(again.status, is_timed ? Status::ok : Status::checked);
        EXPECT_EQ(to_json(again), json);
        Json without = json;
        without.erase("doubts");
        EXPECT_FALSE(problems_of(without).empty());
    }
}

TEST_P(EveryDoubt, IsInTheReportsOfARun) {
    for (const bool is_timed : {false, true}) {
        const Record record = fake::as<Record>(doubtful(is_timed));
        for (const RunTables tables : {RunTables::as_they_come, RunTables::overview}) {
            std::ostringstream out;
            RunTable table(out, 400, tables);
            table.add(record);
            table.finish();
            expect_said(out.str(), "text");
        }
        const std::string junit = report::junit_text(report::run_tests({record}, false));
        expect_said(junit, "JUnit");
        EXPECT_THAT(junit, AllOf(HasSubstr("<skipped"), HasSubstr("skipped=\"1\"")));
        EXPECT_THAT(report::junit_text(report::run_tests({record}, true)),
                    HasSubstr("<failure type=\"doubtful\""));
        EXPECT_EQ(strict_failure(record), "doubtful");
    }
}

TEST_P(EveryDoubt, IsInTheReportsOfADiff) {
    for (const bool is_timed : {false, true}) {
        const ResultSet a = test::set_of("a", {doubtful(is_timed, {})});
        const ResultSet b = test::set_of("b", {doubtful(is_timed)});
        const Diff diff = build_diff(sides_of(a, b, {}), {});
        expect_said(text_report(diff, 400, false), "text");
        expect_said(markdown_report(diff), "Markdown");
        expect_said(html_report(diff, {}, {"chart", "highlight"}), "page");
        expect_said(json_report(diff), "JSON");
        expect_said(csv_report(diff), "CSV");
        EXPECT_THAT(csv_report(diff), HasSubstr(", doubtful\","));
        const std::string junit = report::junit_text(tests_of(diff));
        expect_said(junit, "JUnit");
        EXPECT_THAT(junit, HasSubstr("skipped=\"1\""));
        const Json one = to_json(diff)["cases"][0];
        EXPECT_EQ(one["doubtful"], true);
        EXPECT_EQ(one["said"], one["verdict"].get<std::string>() + ", doubtful");
        EXPECT_EQ(one["answer"]["right_a"], false);
        EXPECT_EQ(one["b"]["status"], "doubtful");
        EXPECT_EQ(one["b"]["doubts"][0]["sentence"], sentence_);
    }
}

TEST(Strict, TakesWhatWasNotComparedForAFailure) {
    const auto failure = [](Status status, const Kept& kept = {}) {
        return std::string(strict_failure(fake::as<Record>(
            status == Status::ok ? test::line(kept)
                                 : test::line(test::ended(status, "It is so.", kept)))));
    };
    EXPECT_EQ(failure(Status::ok), "");
    EXPECT_EQ(failure(Status::checked), "");
    EXPECT_EQ(failure(Status::unsupported), "unsupported");
    EXPECT_EQ(failure(Status::refused), "refused");
    EXPECT_EQ(failure(Status::skipped), "");
    Kept native;
    native.language = "native";
    EXPECT_EQ(failure(Status::unsupported, native), "unsupported") << "the user's own";
    native.suite = "reduction";
    EXPECT_EQ(failure(Status::unsupported, native), "") << "meant for one API";
    Record alone = fake::as<Record>(test::line(Kept{}));
    alone.check->checked_against = "itself";
    EXPECT_EQ(strict_failure(alone), "not compared");
}

}  // namespace
}  // namespace parallax::doubts_test
