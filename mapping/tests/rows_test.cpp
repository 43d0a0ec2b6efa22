// Is every row whole, true to its sources, and none of the translator's left out?
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mapping/search/sources.hpp"
#include "mapping/search/words.hpp"
#include "mapping/table/host_rows.hpp"

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
    for (const MapRow& row : whole_map()) {
        if (row.kernel_language) continue;
        ++written;
        const std::string name = std::string(row.opencl) + " / " + std::string(row.cuda);
        EXPECT_FALSE(row.topic.empty()) << name;
        EXPECT_THAT(std::string(row.trap), EndsWith(".")) << name;
        EXPECT_FALSE(has_two_sentences(row.trap)) << name;
        EXPECT_LT(row.trap.size(), 260u) << name;
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
    for (const MapRow& row : whole_map()) {
        if (topic_of(row) == topic) continue;
        topic = topic_of(row);
        EXPECT_TRUE(done.insert(topic).second) << topic;
    }
    EXPECT_TRUE(done.count("memory model"));
    EXPECT_TRUE(done.count("kernel language: memory"));
}

TEST(Rows, TheTranslatorsAreAllThereAsTheyAre) {
    std::vector<const MapRow*> kernel;
    for (const MapRow& row : whole_map()) {
        if (row.kernel_language) kernel.push_back(&row);
    }
    ASSERT_EQ(kernel.size(), mapping_table().size());
    for (std::size_t i = 0; i < kernel.size(); ++i) {
        const Row& row = mapping_table()[i];
        EXPECT_EQ(kernel[i]->opencl, row.opencl);
        EXPECT_EQ(kernel[i]->cuda, row.cuda);
        EXPECT_EQ(kernel[i]->trap, row.because);
        EXPECT_EQ(kernel[i]->equivalence, row.equivalence);
    }
}

TEST(Rows, FurtherWordsOfTheTranslatorsHaveTheirRow) {
    std::set<std::string_view> seen;
    for (const KernelWords& words : kernel_words()) {
        EXPECT_EQ(std::ranges::count(mapping_table(), words.opencl, &Row::opencl), 1)
            << words.opencl;
        EXPECT_TRUE(seen.insert(words.opencl).second) << words.opencl;
        EXPECT_FALSE(words.words.empty());
    }
}

TEST(Rows, PlacesAreInTheirSources) {
    std::size_t places = 0;
    for (const MapRow& row : whole_map()) {
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
            EXPECT_EQ(line_of(*text, lines.front().number), lines.front().text);
        }
    }
    EXPECT_GT(places, 150u);
}

TEST(Rows, APlaceThatIsGoneHasNoLines) {
    EXPECT_TRUE(lines_of({"backends/cuda/run.cpp", "no such text anywhere"}).empty());
    EXPECT_TRUE(lines_of({"backends/cuda/no_file.cpp", "int"}).empty());
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
