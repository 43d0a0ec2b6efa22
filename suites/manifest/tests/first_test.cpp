// Tests how much of a launch a generated manifest infers from the kernel's source.
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/error.hpp"
#include "mapping/preprocess/expand.hpp"
#include "measure/verification.hpp"
#include "records/line.hpp"
#include "suites/manifest/formula.hpp"
#include "suites/manifest/manifest.hpp"
#include "suites/manifest/tests/folder.hpp"

namespace parallax::first_test {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// The expected values in a kernel's file: `// name: use formula` lines at its start.
std::vector<std::pair<std::string, std::string>> truth_of(const std::string& text) {
    std::vector<std::pair<std::string, std::string>> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line) && line.starts_with("// ");) {
        const std::size_t colon = line.find(": ");
        if (colon != std::string::npos && line.find(' ', 3) > colon) {
            lines.emplace_back(line.substr(3, colon - 3), line.substr(colon + 2));
        }
    }
    return lines;
}

/// The successive kernels from `// kernels: a b`.
std::vector<std::string> row_of(const std::vector<std::pair<std::string, std::string>>& truth) {
    std::vector<std::string> row;
    if (truth.empty() || truth.front().first != "kernels") return row;
    std::istringstream in(truth.front().second);
    for (std::string name; in >> name;) row.push_back(name);
    return row;
}

std::string formula_text(const Json& json) {
    return json.is_string() ? json.get<std::string>() : json.dump();
}

/// Compares formulas at sizes that are divisible and different.
class Score {
public:
    explicit Score(const Json& made) : made_(made) {
        double size = 960;
        for (const Json& name : made.at("sizes").at("names")) names_[name] = size += 960;
        const auto note = [&](const Json& one) {
            const Json value = number_in(one);
            if (value.is_number()) names_.emplace(one["name"], value.get<double>());
        };
        for (const Json& one : made.at("arguments")) {
            note(one);
            if (one.contains("members")) std::ranges::for_each(one["members"], note);
        }
        const std::array axes{"x", "y", "z"};
        for (std::size_t d = 0; d < 3; ++d) {
            const auto extent = [&](const char* key) {
                const Json& all = launch(1).at(key);
                return d < all.size() ? value(formula_text(all[d])) : 1;
            };
            names_[fmt::format("items_{}", axes[d])] = extent("items");
            names_[fmt::format("groups_{}", axes[d])] = extent("groups");
        }
        for (const Json& one : made.at("arguments")) {
            for (const Json& any : with_members(one)) {
                const Json formula = number_in(any);
                if (formula.is_string()) names_.emplace(any["name"], value(formula));
            }
        }
    }

    /// Lines of the manifest that a person would have to correct.
    std::vector<std::string> wrong(const std::vector<std::pair<std::string, std::string>>& truth) {
        std::vector<std::string> found;
        for (const auto& [name, right] : truth) {
            if (name == "kernels") continue;
            if (name == "items") {
                std::string all;
                for (const Json& one : made_.at("items")) all += " " + formula_text(one);
                if (all != " " + right) found.push_back(name + ":" + all);
            } else if (name.starts_with("groups")) {
                if (right == "any") continue;
                // Each of several launches has its own work-items: `groups`, `groups2`, ...
                const Json& own = launch(name.size() > 6 ? name[6] - '0' : 1);
                for (std::size_t d = 0; d < own.at("items").size(); ++d) {
                    names_[fmt::format("items_{}", "xyz"[d])] = own["items"][d].get<double>();
                }
                bool same = true;
                std::size_t d = 0;
                std::istringstream in(right);
                for (std::string one; std::getline(in, one, ',') && same; ++d) {
                    same =
                        d < own.at("groups").size() && equal(formula_text(own["groups"][d]), one);
                }
                if (!same || d != own.at("groups").size()) {
                    found.push_back(name + ": " + own["groups"].dump());
                }
            } else if (const std::size_t dot = name.find('.'); dot != name.npos) {
                const auto member = [&]() -> Json {
                    for (const Json& any : made_.at("arguments")) {
                        if (any["name"] != name.substr(0, dot)) continue;
                        for (const Json& one : any["members"]) {
                            if (one["name"] == name.substr(dot + 1)) return number_in(one);
                        }
                    }
                    return {};
                }();
                if (member.is_null() || !equal(formula_text(member), right)) {
                    found.push_back(name + ": " + member.dump());
                }
            } else {
                ++arguments;
                const Json* one = nullptr;
                for (const Json& any : made_.at("arguments")) {
                    if (any["name"] == name) one = &any;
                }
                if (!one || !fits(*one, right)) {
                    found.push_back(name + ": " + (one ? one->dump() : "missing"));
                    ++wrong_arguments;
                }
            }
        }
        return found;
    }
    std::size_t arguments = 0, wrong_arguments = 0;

private:
    /// The launch, from 1; the manifest itself if it has only one.
    const Json& launch(int number) const {
        return made_.contains("launches")
                   ? made_["launches"].at(static_cast<std::size_t>(number) - 1)
                   : made_;
    }
    static std::vector<Json> with_members(const Json& one) {
        std::vector<Json> all{one};
        for (const Json& member : one.value("members", Json::array())) all.push_back(member);
        return all;
    }
    /// The value of the argument, or the member, in formulas; null: none.
    static Json number_in(const Json& one) {
        if (one.contains("value")) return one["value"];
        const Json fill = one.value("fill", Json());
        for (const char* key : {"value", "formula"}) {
            if (fill.is_object() && fill.contains(key)) return fill[key];
        }
        return {};
    }
    double value(const std::string& formula) const {
        try {
            return formula_value(formula, names_);
        } catch (const Error&) {
            return std::nan("");
        }
    }
    bool equal(const std::string& a, const std::string& b) const {
        return std::abs(std::ceil(value(a)) - std::ceil(value(b))) < 0.5;
    }
    bool fits(const Json& one, const std::string& right) const {
        const std::size_t blank = right.find(' ');
        const std::string word = right.substr(0, blank);
        if (one.contains("image")) {
            std::istringstream in(right);
            std::string kind, width, height;
            in >> kind >> width >> height;
            return kind == "image" && equal(formula_text(one["image"].at("width")), width) &&
                   equal(formula_text(one["image"].at("height")), height);
        }
        const bool buffer = one.contains("elements");
        if (buffer || one.contains("local")) {
            if ((buffer ? one.at("use") : Json("local")) != word) return false;
            const Json& count = one.at(buffer ? "elements" : "local");
            const std::string length = right.substr(blank + 1);
            return !count.is_null() && (length == "any" || equal(formula_text(count), length));
        }
        if (one.contains("members")) return right == "struct";
        return !one.at("value").is_null() &&
               (right == "any" || equal(formula_text(one["value"]), right));
    }

    const Json& made_;
    FormulaNames names_;
};

struct Totals {
    std::size_t arguments = 0, wrong = 0, kernels = 0, few = 0, wrong_sides = 0;
};

/// The manifests of a folder's kernels, against their first lines; an OpenCL source with a CUDA
/// source next to it gets one for both.
Totals score_all(const fs::path& folder, const std::string& extension) {
    Totals all;
    for (const auto& entry : fs::directory_iterator(folder)) {
        if (entry.path().extension() != extension) continue;
        const std::string text = text_of(entry.path());
        auto truth = truth_of(text);
        EXPECT_FALSE(truth.empty()) << entry.path();
        FirstManifest first{.file = "mine.cl", .source = text, .kernels = row_of(truth)};
        const fs::path other = fs::path(entry.path()).replace_extension(".cu");
        if (extension == ".cu") first.file.clear();
        if (fs::exists(other)) {
            first.cuda = other.filename().string();
            first.cuda_source = text_of(other);
        }
        const Json made = Json::parse(first_manifest(first));
        std::erase_if(truth, [&](const auto& line) {
            if (line.first != "cuda") return false;
            const bool same = made.at("cuda") == Json::parse(line.second);
            EXPECT_TRUE(same) << entry.path() << made.at("cuda");
            all.wrong_sides += !same;
            return true;
        });
        Score score(made);
        const auto lines = score.wrong(truth);
        EXPECT_EQ(score.arguments, made["arguments"].size())
            << entry.path() << made.at("arguments");
        for (const auto& line : lines) {
            ::testing::Test::RecordProperty(entry.path().stem().string(), line);
        }
        ++all.kernels;
        all.few += lines.size() <= 3;
        all.arguments += score.arguments;
        all.wrong += score.wrong_arguments;
    }
    std::cout << fmt::format("{} of {} arguments right, {} of {} kernels with at most 3 lines\n",
                             all.arguments - all.wrong, all.arguments, all.few, all.kernels);
    return all;
}

TEST(FirstManifest, MostOfALaunchIsInTheText) {
    if (!can_expand()) GTEST_SKIP() << "built without a preprocessor";
    const Totals all = score_all(KERNELS, ".cl");
    EXPECT_GE(all.kernels, 30u);
    EXPECT_LE(all.wrong * 5, all.arguments) << "four of five arguments need no hand";
    EXPECT_GE(all.few * 30, all.kernels * 25);
}

TEST(FirstManifest, MostOfACudaLaunchIsInTheText) {
    const Totals all = score_all(KERNELS, ".cu");
    EXPECT_GE(all.kernels, 10u);
    EXPECT_LE(all.wrong * 5, all.arguments);
    EXPECT_GE(all.few * 10, all.kernels * 8);
}

TEST(FirstManifest, AKernelThatWaitsForTheGridIsCooperative) {
    FirstManifest first;
    first.cuda = "mine.cu";
    first.cuda_source =
        "#include <cooperative_groups.h>\n__device__ float sums[64];\n"
        "__global__ void k(float* y, int n) {\n"
        "    const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "    auto grid = cooperative_groups::this_grid();\n"
        "    if (i < 64) sums[i] = i;\n    grid.sync();\n    if (i < n) y[i] = sums[i % 64];\n}\n";
    const Json made = Json::parse(first_manifest(first));
    EXPECT_EQ(made.value("cooperative", false), true) << made;
    EXPECT_EQ(made["cuda"]["symbols"], Json({{"sums", "sums"}}));
    first.cuda_source.erase(first.cuda_source.find("    grid.sync();"), 16);
    EXPECT_FALSE(Json::parse(first_manifest(first)).contains("cooperative"));
}

TEST(FirstManifest, TwoSourcesHaveOneListOfArguments) {
    const Totals all = score_all(fs::path(KERNELS) / "pairs", ".cl");
    EXPECT_GE(all.kernels, 5u);
    EXPECT_LE(all.wrong * 5, all.arguments);
    EXPECT_EQ(all.few, all.kernels);
    EXPECT_EQ(all.wrong_sides, 0u);
}

class Made : public testing::Test {
protected:
    testing_manifest::Folder folder_;

    /// The suite of the generated manifest.
    Suite load(const std::string& source, const std::vector<std::string>& kernels = {}) {
        folder_.write("mine.cl", source);
        text_ = first_manifest({.file = "mine.cl", .source = source, .kernels = kernels});
        return suite_from((folder_.path / "mine.json").string(), text_);
    }
    std::string text_;
};

std::string what_is_thrown(const std::function<void()>& work) {
    try {
        work();
    } catch (const Error& error) {
        return error.what();
    }
    return "nothing";
}

/// The manifest's arguments by name.
std::map<std::string, Json> arguments_in(const std::string& text) {
    std::map<std::string, Json> made;
    const Json json = Json::parse(text);
    for (const Json& one : json.at("arguments")) made[one.at("name")] = one;
    return made;
}

TEST_F(Made, WhatAGridStrideAddsUpIsBounded) {
    load(
        "__kernel void dots(__global const float4* a, __global float* part, int n4) {\n"
        "float acc = 0; for (int i = get_global_id(0); i < n4; i += get_global_size(0))"
        " acc += dot(a[i], a[i]);\nif (!get_local_id(0)) part[get_group_id(0)] = acc; }");
    auto made = arguments_in(text_);
    EXPECT_EQ(made["a"].at("elements"), "n4");
    EXPECT_EQ(made["part"].at("use"), "output") << "each group has a first item";
}

TEST_F(Made, ABoundThatIsNotUnderstoodIsAsked) {
    const std::string said = what_is_thrown([&] {
        load(
            "__kernel void path(int turns, int border, __global const int* src, __global int* out,"
            " __local int* prev) {\n"
            "int t = get_local_id(0), west = convert_int(sqrt((float)(t * turns - border)));\n"
            "prev[west] = src[t]; barrier(CLK_LOCAL_MEM_FENCE); out[t] = prev[west]; }");
    });
    EXPECT_EQ(arguments_in(text_)["prev"].at("local"), Json()) << text_;
    EXPECT_THAT(said, HasSubstr("How many elements has a group's local memory"));
}

TEST_F(Made, AnOrderThatIsNotUnderstoodIsAsked) {
    const std::string said = what_is_thrown([&] {
        load(
            "__kernel void links(__global int* tail, __global int* next, __global uchar* first,"
            " const int n) {\n"
            "const int i = get_global_id(0);\nif (i >= n) return;\n"
            "const int before = atomic_xchg(tail, i);\nfirst[i] = before < 0;\n"
            "if (before >= 0 && before < n) next[before] = i; }");
    });
    EXPECT_THAT(said, HasSubstr("'order' of 'next' is null, since it is not known yet: Work-items "
                                "write 'next' in the order"));
    EXPECT_EQ(arguments_in(text_)["tail"].at("order"), "race");
    EXPECT_EQ(arguments_in(text_)["tail"].at("fill"), Json({{"value", -1}}));
    EXPECT_EQ(arguments_in(text_)["first"].at("order"), "race");
}

TEST_F(Made, AFreePlaceIsANumberOfItsType) {
    for (const auto& [type, free, number] : {std::tuple{"uint", "-1", Json(0xffffffff)},
                                             {"int", "0xffffffff", Json(-1)},
                                             {"ulong", "-1", Json(0xffffffff)}}) {
        load(
            fmt::format("__kernel void own(__global {} * owner, __global const int* at) {{\n"
                        "const int i = get_global_id(0);\n"
                        "atomic_cmpxchg(&owner[at[i]], {}, i); }}",
                        type, free));
        EXPECT_EQ(arguments_in(text_)["owner"].at("fill"), Json({{"value", number}})) << text_;
    }
}

TEST_F(Made, APlaceOfEitherSignLeadsNoFurtherThanItsBuffer) {
    load(
        "__kernel void faces(__global const int* face, __global const float* cell,"
        " __global const float* edge, __global float* out, const int m, const int n) {\n"
        "const int i = get_global_id(0);\nif (i >= n) return;\nconst int c = face[i];\n"
        "out[i] = c >= 0 ? cell[c] : edge[-c]; }");
    EXPECT_FALSE(text_.find("-(1 + ceil") != text_.npos) << text_;
}

TEST_F(Made, WhatIsAlsoWrittenElsewhereIsAsked) {
    const std::string said = what_is_thrown([&] {
        load(
            "__kernel void both(__global const int* x, __global int* out, __global int* count,"
            " const int n) {\nconst int i = get_global_id(0);\nif (i >= n) return;\n"
            "if (x[i] > 0) out[atomic_inc(count)] = i;\nout[n + i] = x[i]; }");
    });
    EXPECT_THAT(said, HasSubstr("'order' of 'out' is null"));
}

TEST_F(Made, WhatEveryOrderGivesKeepsItsOrder) {
    load(
        "__kernel void last(__global const int* x, __global int* y, __global int* done, int n) {\n"
        "__local int is_last;\nconst int i = get_global_id(0);\n"
        "if (i < n) y[i] = x[i];\n"
        "if (get_local_id(0) == 0) is_last = atomic_inc(done) == (int)get_num_groups(0) - 1;\n"
        "barrier(CLK_LOCAL_MEM_FENCE);\n"
        "if (is_last && get_local_id(0) == 0) y[0] = x[0] + 1; }");
    EXPECT_FALSE(arguments_in(text_)["y"].contains("order")) << text_;
    load(
        "__kernel void sums(__global const float* x, __global uint* sum, __global int* lock, int "
        "n) {\n"
        "const int i = get_global_id(0);\nif (i >= n) return;\nuint old = *sum, was;\n"
        "do { was = old; old = atomic_cmpxchg(sum, was, as_uint(as_float(was) + x[i])); }"
        " while (old != was);\n"
        "while (atomic_cmpxchg(lock, 0, 1)) ;\natomic_xchg(lock, 0); }");
    EXPECT_FALSE(arguments_in(text_)["sum"].contains("order")) << text_;
    EXPECT_FALSE(arguments_in(text_)["lock"].contains("order")) << text_;
}

TEST_F(Made, TheOrderIsFreeOnlyWhereItShows) {
    const auto order = [&](const std::string& body) {
        const std::string said = what_is_thrown([&] {
            load(
                "__kernel void k(__global const int* x, __global int* out, __global int* count,"
                " const int n) {\nconst int i = get_global_id(0);\n" +
                body + " }");
        });
        return arguments_in(text_)["out"].value("order", Json("none"));
    };
    EXPECT_EQ(
        order("if (i < n) { const int p = x[i] > 0 ? atomic_inc(count) : -1; out[i] = p >= 0; }"),
        Json())
        << "a flag made of a number";
    EXPECT_EQ(order("if (i < n) out[i] = x[i] > 0 ? atomic_inc(count) : -1;"), "any")
        << "a number, or none";
    EXPECT_EQ(order("if (i < n && x[i] > 0 && atomic_inc(count) < 10) out[i] = x[i];"), Json())
        << "the first ten";
    EXPECT_EQ(
        order(
            "int v; if (atomic_inc(count) < 10) v = x[i]; else v = -x[i]; if (i < n) out[i] = v;"),
        Json())
        << "the first ten get another value";
    EXPECT_EQ(order("if (i < n) out[i] = atomic_inc(count) < 10 ? 1 : 2;"), "any")
        << "one of two numbers";
    EXPECT_EQ(order("const int at = atomic_inc(count); if (i < n && x[i] > 0) out[at] = x[i];"),
              Json())
        << "some that have a place do not use it";
    EXPECT_EQ(order("int sum = 0; for (;;) { const int t = atomic_inc(count); if (t >= n) break; "
                    "sum += x[t]; } out[i] = sum;"),
              Json())
        << "the work of one";
    EXPECT_EQ(order("const int t = atomic_inc(count); if (t < n) out[t] = x[t];"), "none")
        << "work by its number";
    EXPECT_EQ(order("const int k = x[i] & 7; if (i < n && atomic_inc(&count[k]) == 0) out[k] = 1;"),
              "none")
        << "the others' number does not matter";
    EXPECT_EQ(order("const int k = x[i] & 7; if (i < n && atomic_inc(&count[k]) == 0) out[k] = i;"),
              "race")
        << "the first one";
    EXPECT_EQ(order("while (atomic_xchg(count, 1) != 0) ; out[0] += x[i]; atomic_xchg(count, 0);"),
              "none")
        << "a sum under a lock";
    EXPECT_EQ(order("while (atomic_xchg(count, 1) != 0) ; if (x[i] > out[0]) out[0] = x[i]; "
                    "atomic_xchg(count, 0);"),
              "none")
        << "the largest under a lock";
    EXPECT_EQ(order("while (atomic_xchg(count, 1) != 0) ; out[count[1]] = x[i]; count[1] += 1; "
                    "atomic_xchg(count, 0);"),
              Json())
        << "a list under a lock";
    EXPECT_EQ(order("int h = x[i] & 63; while (atomic_cmpxchg(&count[h], 0, i + 1) != 0) h = (h + "
                    "1) & 63; out[h] = x[i];"),
              Json())
        << "next to a table's key";
    EXPECT_EQ(order("for (int q = 0; q < 8; ++q) { const int own = (i + q) % 8; for (;;) { const "
                    "int t = atomic_inc(&count[own]); if (t >= 9) break; const int job = own * 9 + "
                    "t; if (job < n) out[job] = x[job]; } }"),
              "none")
        << "work from several queues";
}

TEST_F(Made, NoRangeIsLargerThanItsType) {
    const Suite suite = load(
        "__constant float table[1000] = {1.0f};\n"
        "__kernel void k(__global const char* at, __global const ushort* to,"
        " __global const float* x, __global float* y, int n) {\n"
        "__local float t[1000];\nconst int i = get_global_id(0);\n"
        "t[get_local_id(0)] = 1.0f;\nbarrier(CLK_LOCAL_MEM_FENCE);\n"
        "if (i < n) y[i] = x[to[i]] + t[at[i]]; }");
    auto made = arguments_in(text_);
    EXPECT_EQ(made["at"].at("fill").at("random")[1], 128) << text_;
    EXPECT_THAT(made["to"].at("fill").at("random")[1].dump(), HasSubstr("min("));
    const Case c = make_case(suite, suite.variants[0], {{1 << 20}}, suite.types.front());
    EXPECT_EQ(what_is_thrown([&] { suite.inputs(c, {}, 1); }), "nothing");
}

TEST_F(Made, WhatConditionsLeaveOutIsDrawn) {
    const auto lowest = [&](const std::string& condition) {
        load(
            "__kernel void k(__global const int* to, __global const float* x, __global float* y,"
            " int n) {\nconst int i = get_global_id(0);\nif (i >= n) return;\n"
            "const int at = to[i];\n" +
            condition + " y[i] = x[at]; }");
        return arguments_in(text_)["to"].at("fill").at("random")[0];
    };
    EXPECT_EQ(lowest("if (at >= 0)"), "-(1 + ceil((n) / 8))");
    EXPECT_EQ(lowest("if (at == -1) return;"), -1);
    EXPECT_EQ(lowest("if (at >= 0) y[i] = 1;"), 0);
    EXPECT_EQ(lowest(""), 0);
}

TEST_F(Made, WhatIsTakenInTilesIsASize) {
    const Suite suite = load(
        "__kernel void k(__global const float* x, __global float* y, int n, int k) {\n"
        "const int i = get_global_id(0);\nfloat sum = 0.0f;\n"
        "for (int t = 0; t * 16 < k; ++t)\n"
        "for (int j = 0; j < 16; ++j) if (i < n && t * 16 + j < k) sum += x[i * k + t * 16 + j];\n"
        "if (i < n) y[i] = sum; }");
    EXPECT_EQ(Json::parse(text_).at("sizes").at("names"), Json({"n", "k"})) << text_;
}

TEST_F(Made, OfRowsWithOneMoreElementTheLengthIsKnown) {
    load(
        "__kernel void layer(__global const float* in, __global float* weights, int hidden) {\n"
        "int i = get_local_id(0), row = get_group_id(1) * 16 + get_local_id(1);\n"
        "weights[(hidden + 1) * row + i + 1 + hidden + 1] *= in[row + 1]; }");
    EXPECT_EQ(arguments_in(text_)["hidden"].at("value"), "items_x") << text_;
}

TEST_F(Made, RoundsTakeUpAPartOfALocalArray) {
    load(
        "__kernel void transp(__global float* B, __global const float* A, uint M, uint K) {\n"
        "__local float t[32 * 33];\n"
        "uint p = get_group_id(0) * 32 + get_local_id(0);\n"
        "uint q = get_group_id(1) * 32 + get_local_id(1);\n"
        "for (uint r = 0; r < 32; r += 8) if (p < K && q + r < M)"
        " t[(get_local_id(1) + r) * 33 + get_local_id(0)] = A[(q + r) * K + p];\n"
        "barrier(CLK_LOCAL_MEM_FENCE);\n"
        "p = get_group_id(1) * 32 + get_local_id(0); q = get_group_id(0) * 32 + get_local_id(1);\n"
        "for (uint r = 0; r < 32; r += 8) if (p < M && q + r < K)"
        " B[(q + r) * M + p] = t[get_local_id(0) * 33 + get_local_id(1) + r]; }");
    const Json made = Json::parse(text_);
    EXPECT_EQ(made.at("items"), Json({32, 8}));
    EXPECT_EQ(made.at("groups"), Json({"ceil(K / items_x)", "ceil(M / 32)"}));
    EXPECT_EQ(arguments_in(text_)["A"].at("elements"), "M * K");
    EXPECT_EQ(made.at("sizes").at("names"), Json({"M", "K"}));
}

TEST_F(Made, AStepFromAnItemsPlaceIsTheGroupsSize) {
    load(
        "__kernel void rows(__global float* y, int n) { __local float t[32][32];\n"
        "for (int r = get_local_id(1); r < 32; r += 4) t[r][get_local_id(0)] = r;\n"
        "const int i = get_global_id(0); if (i < n) y[i] = t[get_local_id(1)][0]; }");
    EXPECT_EQ(Json::parse(text_).at("items"), Json({32, 4}));
}

TEST_F(Made, ComponentsOfAVectorAreSizes) {
    const Suite suite = load(
        "__kernel void s(__global const float* x, __global float* y, const int2 dim) {\n"
        "int i = get_global_id(0), j = get_global_id(1); if (i >= dim.x || j >= dim.y) return;\n"
        "y[j * dim.x + i] = x[j * dim.x + i]; }");
    auto made = arguments_in(text_);
    EXPECT_EQ(made["dim"].at("value"), Json({"dim_x", "dim_y"}));
    const Plan plan =
        plan_of(make_case(suite, suite.variants[0], {{100, 50}}, suite.types.front()));
    EXPECT_EQ(plan.buffers.at(1).elements, 5000u);
    EXPECT_EQ(launches_of(plan).front()->geometry.groups.y, 4u);
}

TEST_F(Made, PartsOfAPlaceAndNoPlaceNeedNoNewSize) {
    load(
        "__kernel void rows(__global const int* begin, __global float* y, int rows) {\n"
        "const int row = get_global_id(0) / 32;\nif (row < rows) y[row] = begin[row + 1]; }");
    Json made = Json::parse(text_);
    EXPECT_EQ(made.at("sizes").at("names"), Json({"rows"}));
    EXPECT_EQ(made.at("groups"), Json({"ceil(32 * rows / items_x)"}));
    load(
        "__kernel void total(__global const float* part, __global float* sum, int n) {\n"
        "float s = 0; for (int i = 0; i < n; ++i) s += part[i]; *sum = s; }");
    made = Json::parse(text_);
    EXPECT_EQ(made.at("sizes").at("names"), Json({"n"}));
    EXPECT_EQ(made.at("items"), Json({1}));
    EXPECT_EQ(made.at("groups"), Json({1}));
    load(
        "__kernel void one(__global const float* x, __global float* sum, __local float* t, int n) {"
        "float s = 0; for (int i = get_local_id(0); i < n; i += get_local_size(0)) s += x[i];\n"
        "t[get_local_id(0)] = s; barrier(CLK_LOCAL_MEM_FENCE);\n"
        "if (get_local_id(0) == 0) *sum = t[0]; }");
    made = Json::parse(text_);
    EXPECT_EQ(made.at("groups"), Json({1}));
    EXPECT_EQ(made.at("sizes").at("names"), Json({"n"}));
}

TEST_F(Made, SumsOfAnImagesExtentsStandInBrackets) {
    load(
        "__kernel void soft(__read_only image2d_t src, sampler_t how, __global float4* dst, int w,"
        " int h, int reach) {\nconst int x = get_global_id(0), y = get_global_id(1);\n"
        "if (x >= w || y >= h) return;\nfloat4 sum = (float4)(0.0f);\n"
        "for (int i = -reach; i <= reach; ++i)\n"
        "for (int j = -reach; j <= reach; ++j)\n"
        "sum += read_imagef(src, how, (int2)(x + j, y + i));\ndst[y * w + x] = sum; }");
    EXPECT_THAT(Json::parse(text_).at("work").at("bytes").get<std::string>(),
                HasSubstr("16 * ((w + reach) * (h + reach))"));
}

TEST_F(Made, ImagesHaveTheExtentsOfTheLaunch) {
    const Suite suite = load(
        "__kernel void blur(__read_only image2d_t src, __write_only image2d_t dst, sampler_t how,"
        " int w, int h) {\nconst int x = get_global_id(0), y = get_global_id(1);\n"
        "if (x >= w || y >= h) return;\n"
        "float4 sum = read_imagef(src, how, (int2)(x - 1, y)) + read_imagef(src, how, (int2)(x + 1,"
        " y));\nwrite_imagef(dst, (int2)(x, y), sum); }");
    const Plan plan =
        plan_of(make_case(suite, suite.variants[0], {{100, 50}}, suite.types.front()));
    ASSERT_EQ(plan.buffers.size(), 2u);
    for (const BufferSpec& one : plan.buffers) {
        ASSERT_TRUE(one.image) << one.name;
        EXPECT_EQ(one.image->width, 100u);
        EXPECT_EQ(one.image->height, 50u);
        EXPECT_EQ(one.elements, 100u * 50 * 4);
    }
    EXPECT_EQ(plan.buffers[1].role, Role::in_out);
    EXPECT_TRUE(arguments_in(text_)["how"].contains("sampler"));
    load(
        "__kernel void invert(__read_only image2d_t src, __write_only image2d_t dst) {\n"
        "const sampler_t how = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | "
        "CLK_FILTER_NEAREST;\n"
        "int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
        "if (at.x >= get_image_width(src) || at.y >= get_image_height(src)) return;\n"
        "write_imageui(dst, at, 255 - read_imageui(src, how, at)); }");
    auto made = arguments_in(text_);
    EXPECT_EQ(made["src"].at("image").at("width"), "src_width");
    EXPECT_EQ(made["dst"].at("image").at("height"), "src_height");
    EXPECT_EQ(made["dst"].at("image").at("format"), "uint");
}

TEST_F(Made, WhatOnlyTranslatesWithItsMacrosWorkedOutSaysSo) {
    if (!can_expand()) GTEST_SKIP() << "built without a preprocessor";
    const std::string plain =
        "__kernel void k(__global float* y, int n) {\n"
        "int i = get_global_id(0); if (i < n) y[i] = 1; }";
    load(plain);
    EXPECT_FALSE(Json::parse(text_).contains("expand"));
    const std::string hidden =
        "#define KERNEL(name) __kernel void name(__global float* y, int n)\n"
        "#define PLACE get_global_id(0)\n"
        "KERNEL(k) { int i = PLACE; if (i < n) y[i] = 1; }";
    load(hidden);
    EXPECT_EQ(Json::parse(text_).value("expand", false), true) << text_;
}

TEST_F(Made, TruthValuesAreDrawnAsSuch) {
    load(
        "typedef struct { float at; bool on; } Lamp;\n"
        "__kernel void k(__global const bool* keep, __global const Lamp* lamps, __global float* y,"
        " int n) {\nconst int i = get_global_id(0);\n"
        "if (i < n) y[i] = keep[i] && lamps[i].on ? lamps[i].at : 0.0f; }");
    const Json made = Json::parse(text_);
    EXPECT_EQ(made.at("arguments").at(0).at("type"), "bool");
    EXPECT_EQ(made.at("arguments").at(0).at("fill"), "random");
    EXPECT_EQ(made.at("arguments").at(1).at("members").at(1).at("fill"), "random");
}

TEST_F(Made, TimedSizesFollowTheWork) {
    const auto timed = [&](const std::string& body) {
        return load(
                   "__kernel void k(__global const float* x, __global float* y, int n) {\n"
                   "const int i = get_global_id(0);\nif (i >= n) return;\nfloat sum = 0.0f;\n" +
                   body + "\ny[i] = sum; }")
            .shapes.front()[0];
    };
    const std::string over_n = "for (int j = 0; j < n; ++j) ";
    EXPECT_EQ(timed("sum = x[i];"), 1u << 20);
    EXPECT_EQ(timed("for (int j = 0; j < 8; ++j) sum += x[i];"), 1u << 20);
    EXPECT_EQ(timed("for (int j = i; j < n; j += get_global_size(0)) sum += x[j];"), 1u << 20);
    EXPECT_EQ(timed(over_n + "sum += x[j];"), 1u << 15) << "n * n rounds";
    EXPECT_EQ(timed(over_n + "sum += x[j];" + over_n + "sum -= x[j];"), 1u << 15)
        << "one after the other";
    EXPECT_EQ(timed(over_n + "for (int k = 0; k < n; ++k) sum += x[j] * x[k];"), 1u << 10);
    EXPECT_EQ(timed(over_n + "{ if (x[j] > 0) { for (int k = 0; k < 16; ++k) sum += x[j]; } }"),
              1u << 13)
        << "n * n * 16, and no more than 2^30";
    EXPECT_EQ(timed("for (int t = 0; t < n; t += 16) for (int k = 0; k < 16; ++k) "
                    "if (t + k < n) sum += x[t + k];"),
              1u << 15);
}

TEST_F(Made, EveryKernelOfTheSetLoads) {
    if (!can_expand()) GTEST_SKIP() << "built without a preprocessor";
    for (const auto& entry : fs::directory_iterator(KERNELS)) {
        if (entry.path().extension() != ".cl") continue;
        const std::string text = text_of(entry.path());
        const std::string said = what_is_thrown([&] { load(text, row_of(truth_of(text))); });
        if (text_.find("null") != std::string::npos) {
            EXPECT_THAT(said, HasSubstr("is null, since it is not known yet: How many")) << entry;
        } else {
            EXPECT_EQ(said, "nothing") << entry;
        }
    }
}

TEST_F(Made, AnArgumentIsALine) {
    load(
        "kernel void a(global const float* x, global float* y, int n) {"
        " int i = get_global_id(0); if (i < n) y[i] = x[i]; }");
    EXPECT_THAT(text_,
                HasSubstr("\n    {\"name\": \"y\", \"type\": \"float\", \"elements\": \"n\", "
                          "\"use\": \"output\"},\n"));
}

TEST_F(Made, WithoutAGuardGroupsAreWhole) {
    const Suite suite = load("kernel void a(global int* y) { y[get_global_id(0)] = 1; }");
    for (const Shape& shape : suite.check_shapes) EXPECT_EQ(shape[0] % 256, 0u);
}

TEST_F(Made, TwoSourcesHaveStructsAndWorkGroupsOfTheirOwn) {
    const std::string opencl =
        "typedef struct { float lat, lng; } Place;\n"
        "kernel void near(global const Place* p, global float* d) {"
        " int i = get_global_id(0); d[i] = p[i].lat + p[i].lng; }";
    const std::string cuda =
        "typedef struct latLong { float lat, lng; } LatLong;\n"
        "__global__ void near(const LatLong* p, float* d) {"
        " int i = blockIdx.x * blockDim.x + threadIdx.x;"
        " const LatLong* latLong = p + i; d[i] = latLong->lat + latLong->lng; }\n"
        "void start(const LatLong* p, float* d, int n) { near<<<n / 768, 768>>>(p, d); }\n";
    folder_.write("mine.cl", opencl);
    folder_.write("mine.cu", cuda);
    try {
        text_ = first_manifest({.file = (folder_.path / "mine.cl").string(),
                                .source = opencl,
                                .cuda = (folder_.path / "mine.cu").string(),
                                .cuda_source = cuda});
    } catch (const Unsupported& error) {
        GTEST_SKIP() << error.what();
    }
    const Suite suite = suite_from((folder_.path / "mine.json").string(), text_);
    EXPECT_EQ(Json::parse(text_).at("cuda").at("items"), Json({768}));
    for (const Shape& shape : suite.check_shapes) EXPECT_EQ(shape[0] % 768, 0u);
}

TEST_F(Made, ALengthThatHoldsForSomeSizesIsAQuestion) {
    const auto pooled = [](const std::string& half) {
        return "kernel void a(global const float* x, global float* y, int w, int h) {"
               " int i = get_global_id(0), j = get_global_id(1), v = " +
               half + "; if (i < v && j < h) y[j * v + i] = x[j * w + i]; }";
    };
    load(pooled("w / 2"));
    EXPECT_THAT(text_,
                HasSubstr("a multiple of 16. For others a length such as 'ceil(w * h / 2)'"));
    load(pooled("w - 2"));
    EXPECT_THAT(text_, Not(HasSubstr("For others a length")));
}

TEST_F(Made, OneOfSeveralKernelsIsNamed) {
    const std::string two =
        "kernel void a(global int* y) { y[get_global_id(0)] = 1; }\n"
        "kernel void b(global int* y) { y[get_global_id(1)] = 1; }\n";
    EXPECT_EQ(load(two, {"b"}).variants.front().name, "b");
    EXPECT_THAT(what_is_thrown([&] { load(two); }), HasSubstr("2 kernels: a, b. Give one"));
    EXPECT_THAT(what_is_thrown([&] { load(two, {"c"}); }), HasSubstr("no kernel 'c': a, b"));
    EXPECT_THAT(what_is_thrown([&] { load("int x;"); }), HasSubstr("no __kernel"));
    EXPECT_EQ(kernels_in({.file = "m.cl", .source = two}), (std::vector<std::string>{"a", "b"}));
}

TEST_F(Made, ASizeThatIsRequiredIsTaken) {
    const Suite suite = load(
        "kernel __attribute__((reqd_work_group_size(8, 4, 2))) void a(global int* y) {"
        " y[get_global_id(2) * get_global_size(0) * get_global_size(1)"
        " + get_global_id(1) * get_global_size(0) + get_global_id(0)] = 1; }");
    const Plan plan =
        plan_of(make_case(suite, suite.variants[0], {{16, 16, 16}}, ElementType::i32));
    EXPECT_EQ(launches_of(plan).front()->geometry, (Geometry{{2, 4, 8}, {8, 4, 2}}));
    EXPECT_EQ(plan.buffers[0].elements, 16u * 16 * 16);
}

TEST_F(Made, StructsAreLaidOutAsOpenclDoes) {
    const Suite suite = load(
        "typedef struct { char tag; float3 at; int n; } P; typedef struct { int n; float f; } Q;\n"
        "kernel void a(global P* p, Q q) { int i = get_global_id(0); if (i < q.n) p[i].n += 1; }");
    const Case c = make_case(suite, suite.variants[0], {{100}}, suite.types.front());
    const Plan plan = plan_of(c);
    EXPECT_EQ(plan.buffers[0].elements * size_of(plan.buffers[0].type), 100u * 48);
    const auto& q =
        std::get<VectorValue>(std::get<Scalar>(launches_of(plan).front()->arguments.at(1)));
    EXPECT_EQ(q.type, "Q");
    ASSERT_EQ(q.bytes.size(), 8u);
    EXPECT_EQ(q.bytes[0], std::byte{100});
    const auto inputs = suite.inputs(c, {}, 1);
    EXPECT_EQ(inputs.front().bytes()[1], std::byte{0}) << "between members";
}

TEST_F(Made, ItsNameIsNoSuites) {
    const auto named = [](const std::string& name) {
        return first_manifest(
            {.file = "m.cl", .source = "kernel void " + name + "(global int* y) {}"});
    };
    EXPECT_THAT(named("reduction"), HasSubstr("\"name\": \"reduction_own\""));
    EXPECT_THAT(named("mine"), HasSubstr("\"name\": \"mine\""));
}

TEST_F(Made, WhatAManifestCannotMakeIsRefused) {
    EXPECT_THAT(
        what_is_thrown([&] { load("kernel void a(read_only image1d_t i, global int* y) {}"); }),
        HasSubstr("'i' of type image1d_t"));
    EXPECT_THAT(what_is_thrown([&] { load("kernel void a(global REAL* y) { y[0] = 1; }"); }),
                HasSubstr("type REAL, which is not known"));
}

}  // namespace
}  // namespace parallax::first_test
