// A small table that all work-items read: where to put it, and the cost of different indices.
#include "common/suite/inputs.hpp"
#include "common/suite/suite.hpp"
#include "suites/parts.hpp"

namespace parallax::constant_memory_suite {
namespace {

constexpr std::uint64_t table_words = 1024;

bool is_in_text(const Case& c) {
    return c.variant->problem == "in the text";
}

std::uint64_t groups_of(const Case& c) {
    return divide_up(c.shape[0], count_of(c, "GROUP"));
}

Plan plan(const Case& c, const char* kernel) {
    Plan plan;
    plan.buffers = {{"starts", Role::input, c.type, groups_of(c)},
                    {"out", Role::output, c.type, c.shape[0]}};
    Launch launch{
        kernel,
        in_a_row(groups_of(c), count_of(c, "GROUP")),
        {BufferIndex{0}, BufferIndex{1}, c.shape[0], static_cast<std::uint32_t>(c["SPREAD"])}};
    if (!is_in_text(c)) {
        plan.buffers.push_back({"table", Role::input, c.type, table_words});
        launch.arguments.insert(launch.arguments.begin(), BufferIndex{2});
    }
    plan.steps = {std::move(launch)};
    return plan;
}

std::vector<HostArray> inputs(const Case& c, const InputPattern& pattern, std::uint64_t seed) {
    const auto words = [&](std::uint64_t count, std::uint64_t of) {
        HostArray array(c.type, count);
        fill_by_index(array.as<std::uint32_t>(), [&](std::uint64_t i) {
            return pattern.exact ? i + of + seed : mix(seed + of, i) & 0xffffffffu;
        });
        return array;
    };
    std::vector<HostArray> arrays;
    arrays.push_back(words(groups_of(c), 0));
    if (!is_in_text(c)) arrays.push_back(words(table_words, 1));
    return arrays;
}

std::vector<Expected> reference(const Case& c, const std::vector<HostArray>& in) {
    std::vector<std::uint32_t> table(table_words);
    for (std::uint32_t i = 0; i < table_words; ++i) {
        table[i] = is_in_text(c) ? i * 4194301u : in[1].as<std::uint32_t>()[i];
    }
    const auto group = count_of(c, "GROUP");
    const auto spread = static_cast<std::uint32_t>(c["SPREAD"]);
    const auto rounds = static_cast<std::uint32_t>(c["ROUNDS"]);
    const auto starts = in[0].as<std::uint32_t>();
    // All that begin at the same word find the same sum.
    std::vector<std::uint32_t> sums(table_words);
    for (std::uint32_t first = 0; first < table_words; ++first) {
        for (std::uint32_t r = 0; r < rounds; ++r) {
            sums[first] = sums[first] * 31 + table[(first + 7 * r) % table_words];
        }
    }
    HostArray out(c.type, c.shape[0]);
    fill_by_index(out.as<std::uint32_t>(), [&](std::uint64_t i) {
        const auto item = static_cast<std::uint32_t>(i % group);
        return sums[(starts[i / group] + spread * item) % table_words];
    });
    return one_answer(std::move(out));
}

Variant variant(const char* name, const char* description, const char* problem = "") {
    return {.name = name,
            .description = description,
            .plan = [=](const Case& c) { return plan(c, name); },
            .sweep = {"SPREAD", {0, 1}, {0, 1, 2, 4, 8, 16, 32}},
            .problem = problem};
}

}  // namespace

Suite suite() {
    return {
        .name = "constant_memory",
        .question = "Where should a small table lie that all items read?",
        .source = "constant_memory.cl",
        .dimensions = {"n"},
        .types = {ElementType::i32},
        .constants =
            {
                {"GROUP", 256, 1, 1024, "work-items of a group", {}, true},
                {"ROUNDS", 256, 1, 65536, "words that an item looks up", {}, true},
                argument({"SPREAD",
                          0,
                          0,
                          1024,
                          "words from one item's place in the table to the next one's",
                          {},
                          true}),
                {"ALIGN", 16, 4, 128, "alignment of local arrays, in bytes"},
            },
        .variants =
            {
                variant("constant_data",
                        "a table in the program's text: constant memory, made for "
                        "one word at a time",
                        "in the text"),
                variant("constant_pointer",
                        "a buffer that the kernel calls constant: CUDA has no such pointer"),
                variant("global_pointer", "a buffer: the caches do not mind different words"),
                variant("local_table", "brought into local memory first"),
            },
        .shapes = powers_of_two({14, 17, 20, 22, 24}),
        .check_shapes = {{{1}}, {{255}}, {{257}}, {{1031}}},
        .opt_in = {"constant_pointer", "local_table"},
        .inputs = inputs,
        .reference = reference,
        .tolerance = [](const Case&) { return Tolerance::bits(); },
        // A lookup is one operation.
        .work = [](const Case& c) { return moving(c, length(c), length(c) * times(c, "ROUNDS")); },
        .refuse = refuse_alignment,
    };
}

}  // namespace parallax::constant_memory_suite
