// Is every row whole, true to its sources, and none of the translator's left out?
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/text/text_lines.hpp"
#include "mapping/search/sources.hpp"
#include "mapping/search/word_index.hpp"
#include "mapping/table/table.hpp"

namespace parallax::rows_test {
namespace {

namespace fs = std::filesystem;
using ::testing::EndsWith;
using ::testing::Not;

std::string file_text(const fs::path& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

std::size_t count_of(std::string_view text, std::string_view part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
    return count;
}

/// A full stop and a capital: a second sentence.
bool has_two_sentences(std::string_view text) {
    for (std::size_t i = 0; i + 2 < text.size(); ++i) {
        if (text[i] == '.' && text[i + 1] == ' ' && text[i + 2] >= 'A' && text[i + 2] <= 'Z') {
            return true;
        }
    }
    return false;
}

TEST(Rows, EachIsWhole) {
    std::set<std::pair<std::string_view, std::string_view>> seen;
    std::size_t written = 0;
    for (const MappingRule& row : whole_map()) {
        if (row.kernel_language) continue;
        ++written;
        const std::string name = std::string(row.opencl) + " / " + std::string(row.cuda);
        EXPECT_FALSE(row.topic.empty()) << name;
        EXPECT_THAT(std::string(row.rationale), EndsWith(".")) << name;
        EXPECT_FALSE(has_two_sentences(row.rationale)) << name;
        EXPECT_LT(row.rationale.size(), 260u) << name;
        EXPECT_TRUE(seen.emplace(row.opencl, row.cuda).second) << name;
        // One side alone has no counterpart, and both have some.
        EXPECT_FALSE(row.opencl.empty() && row.cuda.empty());
        EXPECT_EQ(row.opencl.empty() || row.cuda.empty(), row.equivalence == Equivalence::none)
            << name;
    }
    EXPECT_GT(written, 130u);
}

TEST(Rows, TopicsStandTogether) {
    std::set<std::string> done;
    std::string topic;
    for (const MappingRule& row : whole_map()) {
        if (topic_of(row) == topic) continue;
        topic = topic_of(row);
        EXPECT_TRUE(done.insert(topic).second) << topic;
    }
    EXPECT_TRUE(done.count("memory model"));
    EXPECT_TRUE(done.count("kernel language: memory"));
}

TEST(Rows, TheTranslatorsComeLast) {
    const std::size_t host_rows =
        whole_map().size() - mapping_table().size() - reverse_table().size();
    for (std::size_t i = 0; i < whole_map().size(); ++i) {
        EXPECT_EQ(whole_map()[i].kernel_language, i >= host_rows) << whole_map()[i].opencl;
    }
    EXPECT_EQ(&whole_map()[host_rows], mapping_table().data());
    EXPECT_EQ(&whole_map()[host_rows + mapping_table().size()], reverse_table().data());
    for (const MappingRule& row : reverse_table()) {
        EXPECT_TRUE(row.from_cuda);
        EXPECT_THAT(std::string(row.rationale), EndsWith(".")) << row.cuda;
        EXPECT_EQ(row.opencl.empty(), row.equivalence == Equivalence::none) << row.cuda;
    }
}

TEST(Rows, ChoicesAreWrittenOut) {
    const auto spellings = [](std::string_view opencl, std::string_view cuda) {
        MappingRule row{opencl, cuda, ""};
        row.kernel_language = true;
        std::string text;
        for (const Spelling& one : spellings_of(row)) {
            text += one.opencl + " -> " + one.cuda + "\n";
        }
        return text;
    };
    EXPECT_EQ(spellings("a < b", "a < b"), "a < b -> a < b\n");
    EXPECT_EQ(spellings("f<|_g>_<min|max>($)", "<min|max>(f<|_g>)"),
              "f_min($) -> min(f)\nf_max($) -> max(f)\n"
              "f_g_min($) -> min(f_g)\nf_g_max($) -> max(f_g)\n");
    EXPECT_EQ(spellings("convert_<long|half>($)", "((<type in CUDA>)($))"),
              "convert_long($) -> ((long long)($))\nconvert_half($) -> ((half)($))\n");
    EXPECT_EQ(spellings("<uchar|long|double><2|3>", "<vector in CUDA>"),
              "uchar2 -> uchar2\nuchar3 -> uchar3_4a\nlong2 -> longlong2\n"
              "long3 -> longlong3_32a\ndouble2 -> double2\ndouble3 -> double3_32a\n");
    EXPECT_EQ(spellings("f($<|, $>)", "f($<|, $>)"), "f($) -> f($)\nf($, $) -> f($, $)\n");
}

TEST(Rows, EveryWordThatARowStandsForFindsIt) {
    std::size_t words = 0;
    for (const MappingRule& row : mapping_table()) {
        const std::vector<Spelling> spellings = spellings_of(row);
        if (spellings.size() == 1) continue;
        for (const Spelling& one : spellings) {
            ++words;
            EXPECT_EQ(one.opencl.find('<'), std::string::npos) << one.opencl;
            EXPECT_EQ(one.cuda.find("in CUDA"), std::string::npos) << one.cuda;
            const std::string word = one.opencl.substr(0, one.opencl.find('('));
            const WordHits hits = WordIndex::get().exactly(word);
            EXPECT_TRUE(std::ranges::any_of(hits, [&](const WordHit& hit) {
                return hit.row == &row;
            })) << word;
        }
    }
    EXPECT_GT(words, 400u);
}

TEST(Rows, PlacesAreInTheirSources) {
    std::size_t places = 0;
    for (const MappingRule& row : whole_map()) {
        for (const Place& place : row.places) {
            ++places;
            const std::string name = std::string(place.file) + ": " + std::string(place.text);
            const auto text = source_text(place.file);
            ASSERT_TRUE(text) << name;
            EXPECT_EQ(place.text.find('\n'), place.text.npos) << name;
            const std::size_t count = count_of(*text, place.text);
            if (place.first_of_many) {
                EXPECT_GT(count, 1u) << name;
            } else {
                EXPECT_EQ(count, 1u) << name;
            }
            const std::vector<SourceLine> lines = lines_of(place);
            ASSERT_FALSE(lines.empty()) << name;
            EXPECT_LE(lines.size(), 4u);
            EXPECT_NE(lines.front().text.find(place.text), std::string_view::npos) << name;
            EXPECT_EQ(lines_of(*text).at(lines.front().number - 1), lines.front().text);
        }
    }
    EXPECT_GT(places, 150u);
}

TEST(Rows, APlaceThatIsGoneHasNoLines) {
    EXPECT_TRUE(lines_of(Place{"backends/cuda/run.cpp", "no such text anywhere"}).empty());
    EXPECT_TRUE(lines_of(Place{"backends/cuda/no_file.cpp", "int"}).empty());
}

TEST(Rows, SourcesAreTheFilesThatAreThere) {
    const fs::path root = SOURCE_ROOT;
    std::set<std::string> names;
    for (const EmbeddedFile& file : mapped_sources()) {
        EXPECT_EQ(file.text, file_text(root / file.name)) << file.name;
        EXPECT_TRUE(names.insert(std::string(file.name)).second) << file.name;
    }
    for (const char* folder : {"backends/opencl", "backends/cuda"}) {
        for (const fs::directory_entry& entry : fs::directory_iterator(root / folder)) {
            const fs::path extension = entry.path().extension();
            if (extension != ".cpp" && extension != ".hpp") continue;
            const std::string name = std::string(folder) + "/" + entry.path().filename().string();
            EXPECT_TRUE(names.count(name)) << name << " is missing in mapping/meson.build";
        }
    }
}

}  // namespace
}  // namespace parallax::rows_test
