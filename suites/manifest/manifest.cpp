// Builds a suite from a manifest.
#include "suites/manifest/manifest.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/error.hpp"
#include "common/text/text.hpp"
#include "common/text/unique_values.hpp"
#include "mapping/analyze/lexer.hpp"
#include "mapping/analyze/literals.hpp"
#include "mapping/analyze/only_kernels.hpp"
#include "mapping/analyze/word_lists.hpp"
#include "mapping/translate/prepared.hpp"
#include "measure/reference_data.hpp"
#include "suites/manifest/check.hpp"
#include "suites/manifest/formula.hpp"
#include "suites/manifest/model.hpp"

namespace parallax {
namespace {

using manifest::ArgumentSpec;
using manifest::KernelSource;
using manifest::Model;

bool is_captured_launch(const KernelSource& text) {
    return std::ranges::any_of(text.arguments,
                               [](const ArgumentSpec& one) { return !one.after.empty(); });
}

/// A kernel's file as it is used, and as it was written where the preprocessor changed it.
struct ReadSource {
    std::string text;
    std::optional<WrittenSource> written = {};
};

/// only_kernels() of a text that its own compiler may understand better.
void keep_only(std::string& source, const std::vector<std::string>& kernels) {
    try {
        source = only_kernels(source, kernels).value_or(source);
    } catch (const Refused&) {
        // All of it is compiled.
    }
}

/// The source of a kernel's file. For a captured program only the launched kernels and what they
/// need: others may require what this device lacks.
/// @param all  of the manifest: some may share the file
ReadSource source_for(const Model& model, const KernelSource& text,
                      const std::vector<KernelSource*>& all) {
    if (text.language != Language::portable) return {read_cuda(model, text)};
    ReadSource read{read_source(model, text.path + ".source", text.source)};
    if (model.expand) read.written = manifest::read_written(model, text);
    bool captured = false;
    std::vector<std::string> kernels;
    std::vector<manifest::LaunchSpec*> launches;
    for (KernelSource* one : all) {
        if (one->source != text.source) continue;
        captured = captured || is_captured_launch(*one);
        for (manifest::LaunchSpec& launch : one->launches) {
            kernels.push_back(launch.kernel);
            launches.push_back(&launch);
        }
    }
    try {
        if (captured) {
            read.text = only_kernels(read.text, kernels).value_or(read.text);
            if (read.written) keep_only(read.written->source, kernels);
        }
        if (model.expand) read.text = manifest::with_free_names(std::move(read.text), launches);
    } catch (const Refused& error) {
        model.fail(text.path + ".source", error.what());
    }
    for (std::size_t i = 0; read.written && i < launches.size(); ++i) {
        if (launches[i]->kernel == kernels[i]) continue;
        const Define renamed{kernels[i], launches[i]->kernel};
        std::vector<Define>& defines = read.written->defines;
        if (std::ranges::find(defines, renamed) == defines.end()) defines.push_back(renamed);
    }
    return read;
}

constexpr std::string_view work_dim = "get_work_dim";

/// Like prepare(), for the first of the sources that needs it.
Preparation prepare_sources(const Model& model, const std::vector<KernelSource*>& all) {
    if (model.expand) return {};
    Model other = model;
    other.expand = true;
    TranslateOptions options{.defines = model.defines};
    if (model.options) options.standard = model.options->standard;
    for (const Constant& one : model.constants) options.constants.push_back(one.name);
    Preparation found;
    for (const KernelSource* text : all) {
        if (text->language != Language::portable) continue;
        const std::string path = text->path + ".source";
        const Preparation one = prepare(
            text->source, [&] { return read_source(model, path, text->source); }, options,
            [&] { return read_source(other, path, text->source); });
        if (!one.reason.empty()) return one;
        if (found.doubt.empty()) found.doubt = one.doubt;
        if (found.failure.empty()) found.failure = one.failure;
    }
    return found;
}

std::string words_of_filling(const ArgumentSpec& one) {
    const manifest::InputPattern& fill = one.fill;
    const auto range = fill.range.value_or(std::pair{0.0, 0.0});
    return fmt::format("{} {} {} {} {} {} {} {} {} {} {} {}", one.name, name_of(one.type),
                       static_cast<int>(fill.kind), fill.special, range.first, range.second,
                       fill.bounds[0], fill.bounds[1], fill.value, fill.file, fill.formula,
                       fill.offsets);
}

void check_commands(const Model& model, CommandUse use) {
    if (use != CommandUse::refused) return;
    model.fail("$.reference.command",
               fmt::format("the manifest wants to run '{}' on this computer, which is done with "
                           "--allow-command only; read it before",
                           printable(fmt::format("{}", fmt::join(model.command, " ")), 200)));
}

/// The key of a kernel's inputs and results.
std::string problem_of(const Model& model, const KernelSource& text) {
    std::vector<std::string> lines;
    for (const ArgumentSpec& one : text.arguments) {
        // A command gets all numbers.
        if (!model.command.empty() && !text.leaves_out(one)) {
            lines.push_back(fmt::format("{} = {}", one.name, fmt::join(one.values, ", ")));
        }
        if (one.kind != ArgumentSpec::Kind::buffer || one.role == Role::scratch) continue;
        lines.push_back(
            fmt::format("{} {} {}", words_of_filling(one), one.count, static_cast<int>(one.role)));
        for (const auto& [member, offset] : manifest::layout_of(one).parts) {
            lines.push_back(words_of_filling(*member));
        }
    }
    std::ranges::sort(lines);  // kernels may take them in any order
    return fmt::format("{}", fmt::join(lines, "; "));
}

const ArgumentSpec* first_answer(const KernelSource& text) {
    for (const ArgumentSpec& one : text.arguments) {
        if (one.kind == ArgumentSpec::Kind::buffer && is_compared(one.role)) return &one;
    }
    return nullptr;
}

/// Which `__constant` buffers exceed the size that every device must support.
std::string words_of_constant_memory(const KernelSource& text, const Plan& plan) {
    constexpr std::uint64_t promised = 65536;
    std::string said;
    for (const BufferSpec& buffer : plan.buffers) {
        const auto one = std::ranges::find(text.arguments, buffer.name, &ArgumentSpec::name);
        if (one == text.arguments.end() || !one->is_constant || buffer.bytes() <= promised)
            continue;
        said += fmt::format(
            "'{}' is __constant and has {} bytes: OpenCL promises {} for such an argument, and a "
            "device with no more may refuse the launch ('parallax devices' shows what each has). "
            "Declare it __global const, as it is in CUDA's source.\n",
            buffer.name, buffer.bytes(), promised);
    }
    return said;
}

/// The guesses of --init, one per line.
std::string words_of_check(const Model& model) {
    std::string said;
    for (const std::string& one : model.check) {
        if (!one.starts_with(not_looked_over)) said += "Guessed: " + one + "\n";
    }
    return said;
}

std::vector<Expected> read_data(const Model& model, const Plan& plan) {
    std::vector<Expected> expected;
    for (const BufferSpec& buffer : plan.buffers) {
        if (!is_compared(buffer.role)) continue;
        expected.push_back({read_elements(model, "$.reference.data." + buffer.name,
                                          model.data.at(buffer.name), buffer.type, buffer.elements),
                            {}});
    }
    return expected;
}

Variant variant_of(const std::shared_ptr<const Model>& model, const KernelSource& text) {
    Variant variant;
    variant.name = text.name;
    variant.description = text.description;
    variant.constants = text.constants;
    variant.source = text.source;
    if (model->options) {
        variant.floats = model->options->floats;
        variant.standard = model->options->standard;
    }
    variant.plan = [model, &text](const Case& c) { return manifest::plan_of(*model, text, c); };
    if (text.cuda) variant.for_cuda = std::make_shared<Variant>(variant_of(model, *text.cuda));
    if (text.language == Language::portable) return variant;
    NativeSource& native = variant.natives.emplace_back();
    native = {.backend = "cuda",
              .source = text.source,
              .options = text.options,
              .language = text.language,
              .constants = text.own_constants};
    for (const Define& one : model->defines) {
        native.options.push_back(fmt::format("-D{}={}", one.name, one.value));
    }
    for (const manifest::LaunchSpec& launch : text.launches) {
        if (text.language != Language::native) break;
        if (std::ranges::find(native.name_expressions, launch.kernel) ==
            native.name_expressions.end()) {
            native.name_expressions.push_back(launch.kernel);
        }
    }
    if (text.floats) variant.floats = text.floats;
    return variant;
}

using ModelOf = std::shared_ptr<const Model>;

std::vector<KernelSource*> all_sources(Model& model) {
    std::vector<KernelSource*> all;
    const auto add = [&](KernelSource& text) {
        all.push_back(&text);
        if (text.cuda) all.push_back(text.cuda.get());
    };
    for (KernelSource& text : model.variants) add(text);
    if (model.reference) add(*model.reference);
    return all;
}

/// A captured launch is a variant of its folder's suite, and called as the program called it.
void check_name(const Model& model, const std::vector<KernelSource*>& all) {
    if (std::ranges::any_of(all, [](const KernelSource* one) { return is_captured_launch(*one); }))
        return;
    for (const Suite& own : suites()) {
        if (own.name != model.name) continue;
        model.fail("$.name",
                   fmt::format("'{}' is a suite of the program; write another name", model.name));
    }
}

/// The contents of kernel files, by name, and the kernels of each source.
struct ReadSources {
    std::map<std::string, std::string> texts;
    std::map<std::string, WrittenSource> written = {};
    manifest::KernelsOf kernels;
};

/// CUDA has no function for the number of dimensions, and OpenCL's launches here have three.
void add_work_dim(Model& model, const std::vector<KernelSource*>& all) {
    std::set<std::size_t> dimensions;
    for (const KernelSource* text : all) {
        if (text->language != Language::portable || !manifest::mentions(model, *text, work_dim))
            continue;
        for (const manifest::LaunchSpec& launch : text->launches)
            dimensions.insert(std::max(launch.items.size(), launch.groups.size()));
    }
    if (dimensions.empty()) return;
    if (dimensions.size() > 1) {
        model.fail("$",
                   "a kernel asks for get_work_dim(), and the launches have different numbers of "
                   "dimensions; write as many 'items' and 'groups' for each, or pass the number as "
                   "an argument");
    }
    model.defines.push_back(
        {fmt::format("{}()", work_dim), fmt::format("{}u", *dimensions.begin())});
}

/// Reads all files and completes what the manifest says of the arguments.
ReadSources read_sources(Model& model, const std::vector<KernelSource*>& all) {
    ReadSources read;
    for (KernelSource* text : all) {
        const auto [file, is_new] = read.texts.try_emplace(text->source);
        if (is_new) {
            ReadSource made = source_for(model, *text, all);
            file->second = std::move(made.text);
            if (made.written) read.written.emplace(text->source, *std::move(made.written));
        }
        read.kernels[text] = check_signatures(model, *text, file->second);
        // The arguments in OpenCL C also hold for the CUDA source next to it, which is read next.
        if (text->cuda) text->cuda->arguments = text->arguments;
        const bool filters = std::ranges::any_of(text->arguments, [](const ArgumentSpec& one) {
            return one.is_sampler && (one.bytes.front() & std::byte{8}) != std::byte{0};
        });
        model.is_mixed = model.is_mixed || filters ||
                         file->second.find("CLK_FILTER_LINEAR") != std::string::npos;
        if (!first_answer(*text)) {
            throw NothingCompared(model.complaint(
                text->path + ".arguments",
                "no buffer has the use \"output\" or \"in_out\": nothing would be compared"));
        }
    }
    return read;
}

std::string notice_of(const Model& model, const Preparation& preparation) {
    if (!preparation.reason.empty()) {
        return fmt::format(
            "{} is preprocessed before it is translated, with the names that OpenCL C 1.2 defines, "
            "and OpenCL's compilers get it as it is: {}",
            model.name, preparation.reason);
    }
    const std::string& said = preparation.failure.empty() ? preparation.doubt : preparation.failure;
    return said.empty() ? "" : fmt::format("{}: {}", model.name, said);
}

ConstantSpec spec_of(const ModelOf& model, const Constant& constant) {
    ConstantSpec spec{.name = constant.name,
                      .value = constant.value,
                      .least = -manifest::largest_exact,
                      .most = manifest::largest_exact,
                      .meaning = "of the manifest",
                      .changes_answer = true};
    if (const auto tuning_values = model->tuning_values.find(constant.name);
        tuning_values != model->tuning_values.end()) {
        spec.tuning_values = tuning_values->second;
    }
    const auto follows = model->following.find(constant.name);
    if (follows == model->following.end()) return spec;
    spec.meaning = fmt::format("{}, for each size", follows->second);
    spec.follows = [model, name = constant.name](const Case& c) {
        return manifest::following_value(*model, name, c);
    };
    return spec;
}

/// Whether some buffer, or a member of its struct, has such a filling.
template <class Is>
bool any_filled(const KernelSource& text, const Is& is) {
    return std::ranges::any_of(text.arguments, [&](const ArgumentSpec& one) {
        return is(one) || std::ranges::any_of(manifest::layout_of(one).parts,
                                              [&](const auto& part) { return is(*part.member); });
    });
}

bool has_signs(const KernelSource& text) {
    return any_filled(text, [](const ArgumentSpec& one) { return one.fill.has_signs(); });
}

/// Suite::tried_once.
std::vector<InputPattern> patterns_tried_once(const Model& model) {
    const auto any = [&](const auto& is) {
        return std::ranges::any_of(model.variants,
                                   [&](const KernelSource& text) { return any_filled(text, is); });
    };
    std::vector<InputPattern> found;
    if (!model.data.empty()) return found;  // one set of inputs has these answers
    if (any([](const ArgumentSpec& one) {
            return one.fill.kind == manifest::InputPattern::Kind::random ||
                   one.fill.kind == manifest::InputPattern::Kind::csr_offsets;
        })) {
        found.push_back({.name = with_extremes});
        found.push_back({.name = with_high, .shape = 0});
        found.push_back({.name = with_low, .shape = 1});
    }
    if (any([](const ArgumentSpec& one) { return one.fill.special; })) {
        found.push_back({.name = with_special});
        found.push_back({.name = with_few_special, .shape = 0});
    }
    if (any([](const ArgumentSpec& one) { return one.fill.varies(); })) {
        found.push_back({.name = drawn_again});
    }
    return found;
}

/// The numbers that a fill draws, as `0 to n`; empty: all, or not from a range.
std::string range_of(const manifest::InputPattern& fill, ElementType type) {
    using Kind = manifest::InputPattern::Kind;
    if (fill.kind == Kind::integers) return "-3 to 3";
    if (fill.kind != Kind::random && fill.kind != Kind::sorted) return {};
    if (!fill.bounds[0].empty()) return fmt::format("{} to {}", fill.bounds[0], fill.bounds[1]);
    const auto [low, high] = fill.range.value_or(std::pair{0.0, 1.0});
    const auto [least, most] = manifest::ends_of(type);
    constexpr double exact = manifest::largest_exact;
    const bool is_all = low <= std::max(least, -exact) && high >= std::min(most, exact);
    return is_all ? "" : fmt::format("{} to {}", low, high);
}

/// Sets of integers by value that are equal at all of these sizes, and not at all of them the same.
std::set<std::vector<std::string>> equal_values(const Model& model, const Case& c,
                                                const std::vector<Shape>& shapes) {
    const KernelSource& text = manifest::source_of(model, *c.variant);
    std::map<std::vector<double>, std::vector<std::string>> alike;
    std::vector<FormulaNames> known;
    for (const Shape& shape : shapes) known.push_back(names_of(model, text, with_shape(c, shape)));
    const auto note = [&](const ArgumentSpec& one) {
        if (one.type.is_vector() || one.is_array || !one.members.empty() || !one.bytes.empty() ||
            !one.type.known() || is_floating(manifest::scalar_type(one.type)))
            return;
        std::vector<double> values;
        for (const FormulaNames& names : known) {
            const auto value = names.find(one.name);
            if (value == names.end()) return;
            values.push_back(value->second);
        }
        if (std::ranges::adjacent_find(values, std::not_equal_to()) != values.end())
            alike[values].push_back(one.name);
    };
    for (const ArgumentSpec& one : text.arguments) {
        if (one.kind != ArgumentSpec::Kind::value) continue;
        note(one);
        for (const auto& part : manifest::layout_of(one).parts) note(*part.member);
    }
    std::set<std::vector<std::string>> found;
    for (const auto& [values, names] : alike)
        if (names.size() > 1) found.insert(names);
    return found;
}

/// The sizes that were checked, and the remainders by small numbers that none of them has.
std::string untried_sizes(const Model& model, const std::vector<Shape>& shapes) {
    std::vector<std::string> checked, lacking;
    for (const Shape& shape : shapes) checked.push_back(to_string(shape));
    for (std::size_t d = 0; d < model.dimensions.size(); ++d) {
        for (const std::uint64_t by : {2, 3, 4}) {
            for (std::uint64_t rest = 0; rest < by; ++rest) {
                const auto has_it = [&](const Shape& shape) {
                    return shape.extents[d] % by == rest;
                };
                const bool is_told = by == 4 && std::ranges::none_of(shapes, [&](const Shape& one) {
                                         return one.extents[d] % 2 == rest % 2;
                                     });
                if (std::ranges::none_of(shapes, has_it) && !is_told)
                    lacking.push_back(fmt::format("{} % {} = {}", model.dimensions[d], by, rest));
            }
        }
    }
    return fmt::format(
        "Sizes other than {}.{}", fmt::join(checked, ", "),
        lacking.empty() ? "" : fmt::format(" None has {}.", fmt::join(lacking, ", ")));
}

/// Suite::untried.
std::vector<std::string> untried_inputs(const Model& model, const Case& c,
                                        const std::vector<Shape>& shapes) {
    using Kind = manifest::InputPattern::Kind;
    std::set<std::string> fixed, ordinary, permuted;
    std::map<std::string, std::set<std::string>> outside;
    bool any_varies = false;
    const auto note = [&](const ArgumentSpec& one, const std::string& name) {
        const manifest::InputPattern& fill = one.fill;
        any_varies = any_varies || fill.varies();
        if (fill.kind == Kind::none) return;
        const ElementType type = manifest::scalar_type(one.type);
        if (!fill.varies()) {
            fixed.insert(name);
            return;
        }
        if (is_floating(type) && !fill.special) ordinary.insert(name);
        if (fill.kind == Kind::permutation) permuted.insert(name);
        const std::string range = range_of(fill, type);
        if (!range.empty() && one.type.element != "bool") outside[range].insert(name);
    };
    for (const KernelSource& text : model.variants) {
        for (const ArgumentSpec& one : text.arguments) {
            if (one.kind != ArgumentSpec::Kind::buffer || !is_loaded(one.role)) continue;
            if (one.members.empty()) note(one, one.name);
            for (const auto& part : manifest::layout_of(one).parts) note(*part.member, one.name);
        }
    }
    std::vector<std::string> said;
    if (model.data.empty()) said.push_back(untried_sizes(model, shapes));
    for (const std::vector<std::string>& names : equal_values(model, c, shapes)) {
        said.push_back(fmt::format(
            "Whether '{}' are taken for each other: they are equal at each checked size.",
            fmt::join(names, "', '")));
    }
    if (!any_varies || !model.data.empty()) return said;
    const auto say = [&](const std::set<std::string>& names, const std::string& before,
                         const char* behind) {
        if (names.empty()) return;
        said.push_back(fmt::format("{} '{}'{}", before, fmt::join(names, "', '"), behind));
    };
    say(fixed, "Other contents of", ": the manifest fixes them.");
    for (const auto& [range, names] : outside)
        say(names, fmt::format("Numbers outside of {} in", range), ".");
    say(permuted, "Numbers that repeat in", ", a permutation.");
    say(ordinary, "NaN, infinities and denormals in",
        ". Where the kernel takes them, write \"special\": true beside \"random\".");
    return said;
}

/// The characters and whole numbers of the sources, as they come and small numbers last; then those
/// next to them, and the negatives.
std::vector<double> literals_in(const std::map<std::string, std::string>& texts) {
    constexpr std::size_t most = 100;
    std::array<std::vector<double>, 3> written;
    for (const auto& [file, text] : texts) {
        if (file.ends_with(".ptx") || file.ends_with(".cubin")) continue;
        try {
            for (const Token& token : lex(file, text)) {
                if (token.kind == TokenKind::character) {
                    const auto value = whole_number_of(token.text);
                    if (value)
                        add_once(written[0],
                                 static_cast<double>(static_cast<std::int64_t>(*value)));
                } else if (token.kind == TokenKind::number) {
                    const auto value = whole_number(token.text);
                    if (value) add_once(written[*value > 2 ? 1 : 2], *value);
                }
            }
        } catch (const Refused&) {  // its compiler says what is wrong
        }
    }
    std::vector<double> found;
    for (const auto& some : written) std::ranges::copy(some, std::back_inserter(found));
    for (const double value : std::vector(found)) {
        if (found.size() > most) break;
        for (const double one : {value - 1, value + 1, 1 - value, -value, -1 - value})
            add_once(found, one);
    }
    return found;
}

const KernelSource& source_of(const Model& model, const Case& c) {
    return manifest::source_of(model, *c.variant);
}

void add_variants(Suite& suite, const ModelOf& model) {
    std::map<std::string, std::string> problems;
    const auto problem = [&](const KernelSource& text) {
        return problems.emplace(problem_of(*model, text), text.name).first->second;
    };
    for (const KernelSource& text : model->variants) {
        Variant variant = variant_of(model, text);
        variant.problem = problem(text);
        if (!text.cuda) {
            suite.variants.push_back(std::move(variant));
            continue;
        }
        Variant cuda = *variant.for_cuda;
        cuda.problem = problem(*text.cuda);
        variant.for_cuda = std::make_shared<Variant>(cuda);
        Variant opencl = variant;
        opencl.for_cuda.reset();
        suite.variants.push_back(std::move(variant));
        for (Variant* side : {&opencl, &cuda}) {
            side->name = manifest::side_name(*model, text, side == &cuda ? "cuda" : "opencl");
            side->description = fmt::format("The {} source of {} alone.",
                                            side == &cuda ? "CUDA" : "OpenCL C", text.name);
            const bool is_taken = std::ranges::any_of(
                model->variants,
                [&](const KernelSource& other) { return other.name == side->name; });
            if (is_taken) continue;
            side->by_name_only = true;
            suite.variants.push_back(std::move(*side));
        }
    }
}

/// The manifest's own, or one that follows from the types, worked out once.
std::function<Tolerance(const Case&)> tolerance_of(const ModelOf& model) {
    struct Once {
        std::once_flag flag;
        Tolerance tolerance;
    };
    return [model, once = std::make_shared<Once>()](const Case& c) {
        if (model->tolerance) return *model->tolerance;
        std::call_once(once->flag, [&] {
            once->tolerance = tolerance_unless_told(*model, c.variant->plan(c));
        });
        return once->tolerance;
    };
}

Work work_of(const Model& model, const Case& c) {
    const FormulaNames names = names_of(model, source_of(model, c), c);
    const auto amount = [&](const char* key, const std::string& formula) {
        try {
            const double value = formula_value(formula, names);
            if (value < 0) throw UsageError(fmt::format("'{}' is below 0", formula));
            return value;
        } catch (const UsageError& error) {
            model.fail(fmt::format("$.work.{}", key), error.what());
        }
    };
    return {.bytes = amount("bytes", model.bytes),
            .operations = amount("operations", model.operations)};
}

std::string refusal_of(const Case& c) {
    try {
        c.variant->plan(c);
        return {};
    } catch (const UsageError& error) {
        return error.what();
    }
}

/// A kernel, a command, or the files of answers; none: the checks compare devices.
void add_reference(Suite& suite, const ModelOf& model, CommandUse use) {
    if (model->reference) {
        suite.reference_kernel = std::make_shared<Variant>(variant_of(model, *model->reference));
    } else if (!model->command.empty()) {
        check_commands(*model, use);
        suite.reference_name = reference_command;
        // A suite that was loaded to be looked at is not asked either.
        const bool may_run = use == CommandUse::allowed;
        suite.reference = [model, may_run](const Case& c, const std::vector<HostArray>& inputs) {
            return command_answers(*model, source_of(*model, c), c, inputs, may_run);
        };
    } else if (!model->data.empty()) {
        check_data(*model);
        suite.reference_name = expected_data;
        suite.reference = [model](const Case& c, const std::vector<HostArray>&) {
            return read_data(*model, c.variant->plan(c));
        };
    }
}

/// The suite that the model describes, without the reference.
Suite described_suite(const ModelOf& model) {
    Suite suite;
    suite.name = model->name;
    suite.question = model->question;
    suite.source = model->variants.front().source;
    suite.dimensions = model->dimensions;
    suite.types = {manifest::layout_of(*first_answer(model->variants.front())).scalar};
    suite.shapes = model->timed;
    suite.check_shapes = model->checked;
    suite.defines = compiled_defines(*model);
    suite.files = {.reach = model->reach, .folders = model->include_folders()};
    suite.files->folders.push_back(model->folder.string());
    for (std::string& one : suite.files->folders) {
        one = std::filesystem::absolute(one.empty() ? "." : one).string();
    }
    if (!model->check.empty()) {
        suite.doubt =
            "the manifest still has its list 'check' from --init: hold it against your program, "
            "and delete the list.";
    }
    for (const Constant& one : model->constants) suite.constants.push_back(spec_of(model, one));
    if (std::ranges::any_of(model->variants, has_signs)) {
        suite.edge_cases = {{.name = manifest::above_zero, .exact = true}};
    }
    suite.tried_once = patterns_tried_once(*model);
    suite.untried = [model](const Case& c, const std::vector<Shape>& shapes) {
        return untried_inputs(*model, c, shapes);
    };
    add_variants(suite, model);
    suite.inputs = [model](const Case& c, const InputPattern& pattern, std::uint64_t seed) {
        return inputs_of(*model, source_of(*model, c), c, pattern, seed);
    };
    const bool varies = std::ranges::any_of(model->variants, [](const KernelSource& text) {
        return any_filled(text, [](const ArgumentSpec& one) {
            return one.fill.varies() || one.fill.kind == manifest::InputPattern::Kind::file;
        });
    });
    if (varies && model->data.empty()) {
        suite.drawing = [model](const Case& c) {
            return drawing_of(*model, source_of(*model, c), c);
        };
    }
    suite.tolerance = tolerance_of(model);
    suite.work = [model](const Case& c) { return work_of(*model, c); };
    const bool has_constant = std::ranges::any_of(model->variants, [](const KernelSource& text) {
        return std::ranges::any_of(text.arguments, &ArgumentSpec::is_constant);
    });
    if (has_constant || !model->check.empty()) {
        suite.summarize = [model](const Case& c, const std::vector<Expected>&) {
            return words_of_constant_memory(source_of(*model, c), c.variant->plan(c)) +
                   words_of_check(*model);
        };
    }
    suite.refuse = refusal_of;
    return suite;
}

}  // namespace

std::string manifest::side_name(const Model& model, const KernelSource& text,
                                std::string_view side) {
    return model.variants.size() == 1 ? std::string(side) : fmt::format("{}.{}", text.name, side);
}

const KernelSource& manifest::source_of(const Model& model, const Variant& variant) {
    // Within a captured folder a variant has the name of its file.
    const KernelSource* found = model.reference ? &*model.reference : &model.variants.front();
    for (const KernelSource& text : model.variants) {
        if (text.name != variant.name &&
            (!text.cuda || (variant.name != side_name(model, text, "opencl") &&
                            variant.name != side_name(model, text, "cuda")))) {
            continue;
        }
        found = &text;
        if (text.name == variant.name) break;
    }
    return found->cuda && !variant.natives.empty() ? *found->cuda : *found;
}

Suite suite_from(const std::string& file, std::string_view json,
                 const ManifestPermissions& permissions, std::map<std::string, std::string> texts) {
    std::vector<std::filesystem::path> folders = permissions.folders;
    for (const std::filesystem::path& one : permissions.sources.files)
        folders.push_back(one.parent_path());
    std::ranges::copy(permissions.sources.folders, std::back_inserter(folders));
    const auto completed = std::make_shared<Model>(manifest::read_model(file, json, folders));
    completed->texts = std::move(texts);
    const std::vector<KernelSource*> all = all_sources(*completed);
    check_name(*completed, all);
    add_work_dim(*completed, all);
    const Preparation preparation = prepare_sources(*completed, all);
    if (!preparation.reason.empty()) completed->expand = true;
    const auto read = std::make_shared<ReadSources>();
    try {
        *read = read_sources(*completed, all);
    } catch (const UsageError& error) {
        if (preparation.failure.empty()) throw;
        throw UsageError(fmt::format("{} ({})", error.what(), preparation.failure));
    }
    completed->literals = literals_in(read->texts);
    const ModelOf model = completed;

    Suite suite = described_suite(model);
    suite.manifest = file;
    suite.notice = notice_of(*model, preparation);
    suite.text = [model, read](std::string_view name) {
        const auto text = read->texts.find(std::string(name));
        if (text != read->texts.end()) return text->second;
        // A record of another manifest of this name, or of an earlier state of it.
        throw UsageError(fmt::format("{} has no kernel file '{}'.", model->file, name));
    };
    suite.written = [read](std::string_view name) {
        const auto found = read->written.find(std::string(name));
        return found == read->written.end() ? std::nullopt : std::optional(found->second);
    };
    add_reference(suite, model, permissions.commands);
    check_sizes(*model, suite, read->kernels);
    return suite;
}

}  // namespace parallax
