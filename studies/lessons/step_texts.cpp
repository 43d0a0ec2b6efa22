// Cuts the kernels of a step out of their files, and finds what changed.
#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/suite/suite.hpp"
#include "common/text/line_difference.hpp"
#include "common/text/text_lines.hpp"
#include "common/text/unique_values.hpp"
#include "mapping/analyze/outline.hpp"
#include "mapping/translate/translate.hpp"
#include "measure/verification.hpp"
#include "studies/lessons/view.hpp"

namespace parallax {
namespace {

using Lines = std::vector<std::string_view>;

/// Names of the kernels that the plan launches, in order, each once.
std::vector<std::string> launched(const Case& c) {
    std::vector<std::string> names;
    for (const Step& step : plan_of(c).steps) {
        if (const Launch* launch = step.launch()) add_once(names, launch->kernel);
    }
    return names;
}

/// The functions of a file that a case needs: the kernels that it launches, and the helpers that
/// these call, in the file's order.
std::vector<Item> needed(const Case& c, const Outline& outline) {
    std::set<std::string_view> names;
    const std::vector<std::string> kernels = launched(c);
    names.insert(kernels.begin(), kernels.end());
    for (std::size_t before = 0; names.size() != before;) {
        before = names.size();
        for (const Item& item : outline.items) {
            if (!item.is_function() || !names.contains(outline[item.name].text)) continue;
            for (std::size_t i = item.body; i < item.last; ++i) {
                const auto called = std::ranges::find_if(outline.items, [&](const Item& other) {
                    return other.kind == Item::Kind::helper &&
                           outline[other.name].text == outline[i].text;
                });
                if (called != outline.items.end()) names.insert(outline[i].text);
            }
        }
    }
    std::vector<Item> items;
    for (const Item& item : outline.items) {
        if (item.is_function() && names.contains(outline[item.name].text)) items.push_back(item);
    }
    return items;
}

/// These functions, with the comments right above them.
/// @param shown  the file, or its translation, which has the same lines
std::string cut_out(const std::vector<Item>& items, const Outline& outline, const Lines& source,
                    const Lines& shown) {
    std::string cut;
    for (const Item& item : items) {
        std::size_t first = outline[item.first].line - 1;
        while (first > 0 && source[first - 1].starts_with("//")) --first;
        if (!cut.empty()) cut += "\n";
        for (std::size_t i = first; i < outline[item.last].line && i < shown.size(); ++i) {
            cut += std::string(shown[i]) + "\n";
        }
    }
    return cut;
}

/// A case's kernels in both languages.
struct BothTexts {
    std::string opencl, cuda;
};

BothTexts portable_texts(const Case& c, const KernelSource& kernel_source) {
    const std::string file = portable_source(*c.suite, *c.variant), text = kernel_source(file);
    TranslateOptions options{.type = c.type, .constants = {}, .defines = {}};
    for (const ConstantSpec& spec : c.suite->constants) {
        if (!spec.is_argument) options.constants.push_back(spec.name);
    }
    const Outline outline = outline_of(file, text);
    const std::vector<Item> items = needed(c, outline);
    const Lines source = lines_of(text);
    const Translation cuda = to_cuda(file, text, options);
    return {cut_out(items, outline, source, source),
            cut_out(items, outline, source, lines_of(cuda.body))};
}

/// Lines that differ, with three around them; empty: none does.
std::string difference(const std::string& before, const std::string& after) {
    constexpr std::size_t config = 3, most_lines = 200;
    return differing_lines(line_difference(before, after), config, most_lines);
}

/// `PAD from 0 to 1`, of constants that both have.
std::vector<std::string> constants_changed(const Case& before, const Case& after) {
    std::vector<std::string> changed;
    for (const Constant& constant : after.constants) {
        const auto old = std::ranges::find(before.constants, constant.name, &Constant::name);
        if (old == before.constants.end() || old->value == constant.value) continue;
        changed.push_back(
            fmt::format("{} from {} to {}", constant.name, old->value, constant.value));
    }
    return changed;
}

void show_changes(const Case& before, const Case& after, const std::string& title,
                  const KernelSource& kernel_source, StepView& view) {
    const BothTexts old = portable_texts(before, kernel_source);
    const BothTexts now = portable_texts(after, kernel_source);
    const std::string text = difference(old.opencl, now.opencl);
    if (!text.empty()) {
        view.texts.push_back({fmt::format("{}: what changes against '{}'",
                                          portable_source(*after.suite, *after.variant), title),
                              "diff", text});
        view.other_texts.push_back({"", "diff", difference(old.cuda, now.cuda)});
    }
    const std::vector<std::string> constants = constants_changed(before, after);
    if (!constants.empty()) {
        view.remarks_on_text.push_back(
            fmt::format("{}onstants: {}.",
                        text.empty() ? "The text stays the same; what changes are its c" : "C",
                        fmt::join(constants, ", ")));
    } else if (text.empty()) {
        view.remarks_on_text.push_back("The text stays the same.");
    }
}

}  // namespace

void show_whole(const Case& c, const KernelSource& kernel_source, StepView& view) {
    for (const NativeSource& native : c.variant->natives) {
        view.texts.push_back({fmt::format("{}, for {} alone", native.source, native.backend),
                              native.backend == "cuda" ? "cpp" : "c",
                              kernel_source(native.source)});
    }
    if (!c.variant->natives.empty()) return;
    BothTexts both = portable_texts(c, kernel_source);
    if (both.opencl.empty()) return;
    view.texts = {{fmt::format("{}, OpenCL C", portable_source(*c.suite, *c.variant)), "c",
                   std::move(both.opencl)}};
    view.other_texts = {{"", "cpp", std::move(both.cuda)}};
}

void show_texts(const LessonStep& step, const Case& c, const LessonStep* before, const Case* old,
                const KernelSource& kernel_source, StepView& view) {
    view.shown_by = "show " + step.run.what;
    const bool can_differ =
        old && old->variant->natives.empty() && c.variant->natives.empty() && old->suite == c.suite;
    const auto text =
        step.text.value_or(can_differ ? LessonStep::Text::changes : LessonStep::Text::whole);
    if (text == LessonStep::Text::none) return;
    if (text == LessonStep::Text::changes && can_differ) {
        show_changes(*old, c, before->title, kernel_source, view);
        return;
    }
    show_whole(c, kernel_source, view);
    if (view.texts.empty()) {
        view.remarks_on_text.push_back("It launches no kernel: the runtime itself copies.");
    }
}

void show_edits(const LessonStep& step, const std::string& title, const Case& c,
                const KernelSource& kernel_source, StepView& view) {
    const std::string file = portable_source(*c.suite, *c.variant);
    const std::string text = kernel_source(file);
    view.texts.push_back({fmt::format("{}: what is broken in '{}'", file, title), "diff",
                          difference(text, edited_source(text, step.edits, file))});
}

}  // namespace parallax
