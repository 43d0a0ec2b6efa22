// Joins the lists of rows, one a topic, into one constant table.
#include "mapping/table/table.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "mapping/analyze/word_lists.hpp"
#include "mapping/table/host/buffers.hpp"
#include "mapping/table/host/errors.hpp"
#include "mapping/table/host/host_execution.hpp"
#include "mapping/table/host/host_memory.hpp"
#include "mapping/table/host/options.hpp"
#include "mapping/table/host/platform.hpp"
#include "mapping/table/host/programs.hpp"
#include "mapping/table/host/queues.hpp"
#include "mapping/table/kernel/atomics.hpp"
#include "mapping/table/kernel/compiler.hpp"
#include "mapping/table/kernel/constants.hpp"
#include "mapping/table/kernel/execution.hpp"
#include "mapping/table/kernel/from_cuda.hpp"
#include "mapping/table/kernel/functions.hpp"
#include "mapping/table/kernel/images.hpp"
#include "mapping/table/kernel/integers.hpp"
#include "mapping/table/kernel/mathematics.hpp"
#include "mapping/table/kernel/memory.hpp"
#include "mapping/table/kernel/sub_groups.hpp"
#include "mapping/table/kernel/types.hpp"
#include "mapping/table/kernel/vectors.hpp"

namespace parallax {
namespace {

/// Before one of CUDA's own names among a row's words.
constexpr char own_name = '@';

struct Topic {
    std::string_view name;
    std::span<const MappingRule> rows;
};

constexpr Topic host_topics[] = {
    {"platform and devices", row_lists::host_platform},
    {"execution model", row_lists::host_execution},
    {"memory model", row_lists::host_memory},
    {"queues and synchronisation", row_lists::host_queues},
    {"programs and kernels", row_lists::host_programs},
    {"buffers and images", row_lists::host_buffers},
    {"libraries", row_lists::host_libraries},
    {"errors", row_lists::host_errors},
    {"build options", row_lists::host_options},
};

constexpr Topic kernel_topics[] = {
    {"execution", row_lists::kernel_execution},
    {"memory", row_lists::kernel_memory},
    {"types", row_lists::kernel_types},
    {"vectors", row_lists::kernel_vectors},
    {"compiler", row_lists::kernel_compiler},
    {"names", row_lists::kernel_names},
    {"sub-groups", row_lists::kernel_sub_groups},
    {"synchronisation", row_lists::kernel_synchronisation},
    {"functions", row_lists::kernel_functions},
    {"mathematics", row_lists::kernel_mathematics},
    {"integers", row_lists::kernel_integers},
    {"conversions", row_lists::kernel_conversions},
    {"atomics", row_lists::kernel_atomics},
    {"constants", row_lists::kernel_constants},
    {"macros", row_lists::kernel_macros},
    {"printing", row_lists::kernel_printing},
    {"images", row_lists::kernel_images},
};

/// Read from CUDA to OpenCL C alone.
constexpr Topic reverse_topics[] = {{"from CUDA", row_lists::kernel_from_cuda},
                                    {"CUDA's own", row_lists::kernel_cuda_words}};

constexpr std::size_t count_of_rows(std::span<const Topic> topics) {
    std::size_t count = 0;
    for (const Topic& topic : topics) count += topic.rows.size();
    return count;
}

constexpr std::size_t host_count = count_of_rows(host_topics);
constexpr std::size_t kernel_count = count_of_rows(kernel_topics);
constexpr std::size_t reverse_count = count_of_rows(reverse_topics);

constexpr std::array<MappingRule, host_count + kernel_count + reverse_count> table = [] {
    std::array<MappingRule, host_count + kernel_count + reverse_count> all{};
    std::size_t next = 0;
    for (const std::span<const Topic> topics :
         {std::span<const Topic>(host_topics), std::span<const Topic>(kernel_topics),
          std::span<const Topic>(reverse_topics)}) {
        for (const Topic& topic : topics) {
            for (MappingRule row : topic.rows) {
                if (row.cuda == "=") row.cuda = row.opencl;
                row.topic = topic.name;
                row.kernel_language = topics.data() != host_topics;
                row.from_cuda = topics.data() == reverse_topics;
                all[next++] = row;
            }
        }
    }
    return all;
}();

}  // namespace

std::string_view name_of(Equivalence equivalence) {
    switch (equivalence) {
        case Equivalence::same: return "same";
        case Equivalence::nearly: return "nearly";
        case Equivalence::none: break;
    }
    return "none";
}

std::span<const MappingRule> whole_map() {
    return table;
}

std::span<const MappingRule> mapping_table() {
    return whole_map().subspan(host_count, kernel_count);
}

std::span<const MappingRule> reverse_table() {
    return whole_map().subspan(host_count + kernel_count);
}

std::string topic_of(const MappingRule& row) {
    return row.kernel_language ? fmt::format("kernel language: {}", row.topic)
                               : std::string(row.topic);
}

bool is_by_prelude(const MappingRule& row) {
    return row.words.find(own_name) != row.words.npos;
}

std::vector<std::string_view> names_in_cuda(const MappingRule& row) {
    std::vector<std::string_view> names;
    for (const std::string_view word : split(row.words, ",")) {
        if (word.size() > 1 && word.starts_with(own_name)) names.push_back(word.substr(1));
    }
    return names;
}

bool is_about_translator(const MappingRule& row) {
    return row.kernel_language && row.topic == "names";
}

void add_rows(RowList& to, const RowList& rows) {
    for (const MappingRule* row : rows) {
        if (std::ranges::find(to, row) == to.end()) to.push_back(row);
    }
}

}  // namespace parallax
