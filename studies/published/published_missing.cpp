// The commands that make the records which are missing.
#include "studies/published/published_missing.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/text.hpp"
#include "studies/published/published_cases.hpp"

namespace parallax::cli {
namespace {

using Where = TodaysRecords::Where;

/// One run: variants of a suite under the same circumstances.
struct Run {
    const Suite* suite;
    std::vector<std::uint64_t> shape;
    std::vector<Constant> constants;
    std::vector<std::string> backends;
    std::vector<const Variant*> variants;
};

/// Constants that must be asked for: others have these values by themselves, or a run goes through
/// them.
std::vector<Constant> defines_of(const Circumstances& line) {
    std::vector<Constant> defines = line.constants;
    const std::vector<Constant> usual = constants_of(*line.suite, *line.variant, {});
    const Sweep& sweep = line.variant->sweep;
    std::erase_if(defines, [&](const Constant& constant) {
        if (constant.name != sweep.constant) {
            return std::ranges::find(usual, constant) != usual.end();
        }
        return std::ranges::find(sweep.values, constant.value) != sweep.values.end();
    });
    return defines;
}

/// As far as letters and digits go: what stands in a record must not become a part of a command.
std::string word_of(const std::string& name) {
    const std::string word = lower_case(name);
    return word.substr(0, word.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789"));
}

/// `opencl:nvidia`: what a person would choose.
std::string word_for(const Where& where) {
    const std::string name = word_of(where.device);
    return name.empty() ? word_of(where.backend)
                        : fmt::format("{}:{}", word_of(where.backend), name);
}

std::string command_of(const Run& run, const std::vector<Where>& wheres) {
    std::string command = "parallax run";
    const bool all = run.variants.size() == run.suite->variants.size();
    if (all) command += " -s " + run.suite->name;
    for (const Variant* variant : run.variants) {
        if (!all) command += fmt::format(" -s {}/{}", run.suite->name, variant->name);
    }
    if (!run.shape.empty()) command += " -n " + to_string(Shape{run.shape});
    for (const Constant& c : run.constants)
        command += fmt::format(" --define {}={}", c.name, c.value);
    for (const Where& where : wheres) {
        if (std::ranges::find(run.backends, where.backend) != run.backends.end()) {
            command += " -d " + word_for(where);
        }
    }
    return command;
}

}  // namespace

std::vector<Missing> missing_of(const std::vector<Circumstances>& lines,
                                const TodaysRecords& records, bool as_usual) {
    std::vector<Missing> list;
    for (auto first = records.where().begin(); first != records.where().end();) {
        std::vector<Where> wheres;
        for (; first != records.where().end() &&
               (wheres.empty() || first->device == wheres.front().device);
             ++first) {
            wheres.push_back(*first);
        }
        const std::string& device = wheres.front().device;
        std::vector<Run> runs;
        for (Circumstances line : lines) {
            std::vector<std::string> backends;
            for (const Where& where : wheres) {
                const Today* today = records.best(line, device, where.backend);
                if (today == nullptr || today->status == Status::skipped ||
                    (as_usual && !unusual(*today, line).empty())) {
                    backends.push_back(where.backend);
                }
            }
            if (backends.empty()) continue;
            if (!wheres.front().is_gpu) line.shape.clear();
            const std::vector<Constant> constants = defines_of(line);
            auto run = std::ranges::find_if(runs, [&](const Run& r) {
                return r.suite == line.suite && r.shape == line.shape && r.constants == constants &&
                       r.backends == backends;
            });
            if (run == runs.end()) {
                run = runs.insert(runs.end(), {line.suite, line.shape, constants, backends, {}});
            }
            if (std::ranges::find(run->variants, line.variant) == run->variants.end()) {
                run->variants.push_back(line.variant);
            }
        }
        if (runs.empty()) continue;
        Missing missing{printable(device, 60), {}};
        for (const Run& run : runs) missing.commands.push_back(command_of(run, wheres));
        list.push_back(std::move(missing));
    }
    return list;
}

}  // namespace parallax::cli
