// Makes a suite of what a manifest says, and holds it against the kernel's own text.
#include "suites/manifest/manifest.hpp"

#include <algorithm>
#include <filesystem>
#include <list>
#include <map>
#include <memory>
#include <mutex>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/error.hpp"
#include "common/read_file.hpp"
#include "mapping/translate/arguments.hpp"
#include "mapping/translate/translate.hpp"
#include "measure/gate.hpp"
#include "suites/manifest/captured.hpp"
#include "suites/manifest/formula.hpp"
#include "suites/manifest/model.hpp"

namespace parallax {
namespace {

using manifest::ArgumentText;
using manifest::KernelText;
using manifest::Model;

/// A type's name with the macros of the manifest in their places.
std::string resolved(const Model& model, std::string type) {
    const auto found = std::ranges::find(model.defines, type, &Define::name);
    return found == model.defines.end() ? type : found->value;
}

std::string words_for(const Parameter& parameter) {
    switch (parameter.kind) {
        case Parameter::Kind::scalar: return fmt::format("a {} by value", parameter.type);
        case Parameter::Kind::local: return fmt::format("local memory of {}", parameter.type);
        case Parameter::Kind::image: return fmt::format("an image ({})", parameter.type);
        case Parameter::Kind::global:
        case Parameter::Kind::constant: break;
    }
    return fmt::format("a buffer of {}", parameter.type);
}

std::string key_for(const Parameter& parameter) {
    switch (parameter.kind) {
        case Parameter::Kind::scalar: return "value";
        case Parameter::Kind::local: return "local";
        case Parameter::Kind::image:
        case Parameter::Kind::global:
        case Parameter::Kind::constant: break;
    }
    return "elements";
}

std::string key_for(const ArgumentText& argument) {
    switch (argument.kind) {
        case ArgumentText::Kind::value: return "value";
        case ArgumentText::Kind::local: return "local";
        case ArgumentText::Kind::buffer:
        case ArgumentText::Kind::same: break;
    }
    return "elements";
}

void check_argument(const Model& model, const KernelText& text, const ArgumentText& argument,
                    const Parameter& parameter) {
    if (argument.name != parameter.name) {
        model.fail(argument.path,
                   fmt::format("found '{}', and the parameter of '{}' in this place is '{}'; write "
                               "the arguments in the order of the parameters",
                               argument.name, text.kernel, parameter.name));
    }
    if (parameter.kind == Parameter::Kind::image) {
        model.fail(argument.path,
                   fmt::format("'{}' is {} in the kernel, which a manifest cannot make; read a "
                               "buffer there",
                               parameter.name, words_for(parameter)));
    }
    if (argument.is_null) return;
    if (key_for(argument) != key_for(parameter)) {
        model.fail(argument.path,
                   fmt::format("'{}' is {} in the kernel: write '{}', and not '{}'", parameter.name,
                               words_for(parameter), key_for(parameter), key_for(argument)));
    }
    if (!argument.said && argument.members.empty()) return;  // it has the parameter's
    const std::string declared = resolved(model, parameter.type);
    // Of a type that the text itself makes, nothing is known.
    const bool known = value_type_named(declared).has_value();
    const std::string given =
        argument.members.empty() ? name_of(argument.type) : argument.struct_name;
    if ((known || !argument.members.empty()) && !fits_type(declared, given)) {
        model.fail(argument.path, fmt::format("'{}' is {} in the kernel, and not of {}",
                                              parameter.name, words_for(parameter), given));
    }
    if (argument.kind != ArgumentText::Kind::buffer || argument.role == Role::input) return;
    if (parameter.read_only || parameter.kind == Parameter::Kind::constant) {
        model.fail(argument.path,
                   fmt::format("'{}' points to const in the kernel, which cannot write it; its use "
                               "is \"input\"",
                               parameter.name));
    }
}

/// The macros that the compilers are told; those that the preprocessor has used up are not.
std::vector<Define> compiled_defines(const Model& model) {
    return model.expand ? std::vector<Define>{} : model.defines;
}

/// Holds the arguments against the parameters of the kernel's text.
Signature check_signature(Model& model, KernelText& text, const std::string& source) {
    std::vector<Signature> kernels;
    try {
        kernels = signatures(text.source, source, {.defines = compiled_defines(model)});
    } catch (const Refused& error) {
        model.fail(text.path + ".source", error.what());
    }
    const auto found = std::ranges::find(kernels, text.kernel, &Signature::kernel);
    if (found == kernels.end()) {
        std::vector<std::string> there;
        for (const Signature& one : kernels) there.push_back(one.kernel);
        model.fail(text.path + ".kernel",
                   fmt::format("{} has no kernel '{}'; it has {}", text.source, text.kernel,
                               there.empty() ? "none" : fmt::format("{}", fmt::join(there, ", "))));
    }
    const std::vector<Parameter>& parameters = found->parameters;
    if (parameters.size() != text.arguments.size()) {
        std::vector<std::string> there;
        for (const Parameter& one : parameters) there.push_back(one.name);
        model.fail(
            text.path + ".arguments",
            fmt::format("{} argument(s), and '{}' has {} parameter(s): {}", text.arguments.size(),
                        text.kernel, parameters.size(), fmt::join(there, ", ")));
    }
    complete(model, text, *found);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        check_argument(model, text, text.arguments[i], parameters[i]);
    }
    return *found;
}

/// A device would only say that it does not want the group.
void check_required(const Model& model, const KernelText& text, const Signature& kernel,
                    const Plan& plan) {
    const auto [x, y, z] = kernel.required;
    const Size items = launches_of(plan).front()->geometry.items;
    if (x == 0 || items == Size{x, std::max(y, 1U), std::max(z, 1U)}) return;
    model.fail(text.path + ".items",
               fmt::format("'{}' asks for groups of {} x {} x {} (reqd_work_group_size), and these "
                           "are {} x {} x {}; write [{}, {}, {}]",
                           text.kernel, x, y, z, items.x, items.y, items.z, x, y, z));
}

std::string words_of_filling(const ArgumentText& one) {
    const manifest::Filling& fill = one.fill;
    const auto range = fill.range.value_or(std::pair{0.0, 0.0});
    return fmt::format("{} {} {} {} {} {} {} {} {} {}", one.name, name_of(one.type),
                       static_cast<int>(fill.kind), range.first, range.second, fill.bounds[0],
                       fill.bounds[1], fill.value, fill.file, fill.formula);
}

/// Everything that the inputs and answers of a kernel are known by.
std::string problem_of(const KernelText& text) {
    std::vector<std::string> lines;
    for (const ArgumentText& one : text.arguments) {
        if (one.kind != ArgumentText::Kind::buffer || one.role == Role::scratch) continue;
        lines.push_back(
            fmt::format("{} {} {}", words_of_filling(one), one.count, static_cast<int>(one.role)));
        for (const ArgumentText& member : one.members) lines.push_back(words_of_filling(member));
    }
    return fmt::format("{}", fmt::join(lines, "; "));
}

const ArgumentText* first_answer(const KernelText& text) {
    for (const ArgumentText& one : text.arguments) {
        if (one.kind == ArgumentText::Kind::buffer && is_compared(one.role)) return &one;
    }
    return nullptr;
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

void check_data(const Model& model) {
    for (const KernelText& text : model.variants) {
        for (const ArgumentText& one : text.arguments) {
            if (one.kind != ArgumentText::Kind::buffer) continue;
            const bool varies = one.fill.varies() ||
                                std::ranges::any_of(one.members, [](const ArgumentText& member) {
                                    return member.fill.varies();
                                });
            if (varies) {
                model.fail(one.path,
                           "expected data are of one set of inputs, and this filling is drawn "
                           "anew; write {\"file\": ...}, \"iota\", \"zeros\" or {\"value\": ...}");
            }
            if (is_compared(one.role) && !model.data.contains(one.name)) {
                model.fail("$.reference.data",
                           fmt::format("no file for the output '{}'", one.name));
            }
        }
    }
    for (const auto& [name, file] : model.data) {
        const ArgumentText* known = nullptr;
        for (const ArgumentText& one : model.variants.front().arguments) {
            if (one.name == name && is_compared(one.role)) known = &one;
        }
        if (!known) {
            model.fail("$.reference.data." + name, "there is no output of this name");
        }
    }
}

/// What the reference kernel reads and leaves must be what the variant reads and leaves.
void check_reference(const Model& model, const KernelText& variant, const Plan& own,
                     const Plan& reference) {
    const auto has = [](const Plan& plan, const BufferSpec& wanted, bool (*counts)(Role)) {
        return std::ranges::any_of(plan.buffers, [&](const BufferSpec& one) {
            return counts(one.role) && one.name == wanted.name && one.type == wanted.type &&
                   one.elements == wanted.elements;
        });
    };
    for (const BufferSpec& buffer : reference.buffers) {
        if (is_loaded(buffer.role) && !has(own, buffer, is_loaded)) {
            model.fail("$.reference.arguments",
                       fmt::format("the reference reads '{}', and variant '{}' has no input of "
                                   "that name, type and size",
                                   buffer.name, variant.name));
        }
    }
    for (const BufferSpec& buffer : own.buffers) {
        if (is_compared(buffer.role) && !has(reference, buffer, is_compared)) {
            model.fail("$.reference.arguments",
                       fmt::format("variant '{}' leaves '{}', and the reference has no output of "
                                   "that name, type and size",
                                   variant.name, buffer.name));
        }
    }
}

/// Checked sizes are tried before anything is timed, each of them for each variant: no budget ends
/// that.
class CheckedWork {
public:
    void add(const Model& model, const Plan& plan) {
        for (const BufferSpec& buffer : plan.buffers) {
            bytes_ += static_cast<double>(buffer.elements * size_of(buffer.type));
        }
        for (const Launch* launch : launches_of(plan)) items_ += work_items(launch->geometry);
        constexpr double most = 0x1p30;
        if (bytes_ <= most && items_ <= most) return;
        model.fail("$.sizes.checked",
                   fmt::format("for all variants they take more than {:.3g} bytes of buffers and "
                               "{:.3g} work-items, and 2^30 of each are the most; write fewer or "
                               "smaller ones",
                               bytes_, items_));
    }

private:
    double bytes_ = 0, items_ = 0;
};

/// Every size of the manifest, tried with its own constants.
void check_sizes(const Model& model, const Suite& suite, const std::vector<Signature>& kernels) {
    CheckedWork checked;
    for (std::size_t i = 0; i < suite.variants.size(); ++i) {
        for (const auto* shapes : {&suite.shapes, &suite.check_shapes}) {
            for (const Shape& shape : *shapes) {
                const Variant& variant = suite.variants[i];
                const Case c{&suite, &variant, shape, suite.types.front(),
                             constants_of(suite, variant, {})};
                const Plan plan = variant.plan(c);
                check_required(model, model.variants[i], kernels.at(i), plan);
                if (shapes == &suite.check_shapes) checked.add(model, plan);
                make_case(suite, variant, shape, c.type);
                suite.work(c);
                if (model.reference) {
                    check_reference(model, model.variants[i], plan,
                                    suite.reference_kernel->plan(c));
                }
                // Captured contents may be gigabytes: they are read when they are used.
                if (model.is_captured) continue;
                if (!model.data.empty()) suite.reference(c, {});
                for (const ArgumentText& one : model.variants[i].arguments) {
                    if (one.fill.kind != manifest::Filling::Kind::file) continue;
                    inputs_of(model, model.variants[i], c, {}, 0);
                    break;
                }
            }
        }
    }
}

Variant variant_of(const std::shared_ptr<const Model>& model, const KernelText& text) {
    Variant variant;
    variant.name = text.name;
    variant.teaches = text.teaches;
    variant.constants = text.constants;
    variant.source = text.source;
    if (model->options) {
        variant.floats = model->options->floats;
        variant.standard = model->options->standard;
    }
    variant.plan = [model, &text](const Case& c) { return manifest::plan_of(*model, text, c); };
    return variant;
}

}  // namespace

std::size_t manifest_length(std::string_view word) {
    if (word.ends_with(".json")) return word.size();
    // A folder may have such a name as well: the last one is the manifest's.
    if (const std::size_t at = word.rfind(".json/"); at != word.npos) return at + 5;
    std::size_t end = word.size();
    while (end > 1 && word[end - 1] == '/') --end;
    const bool is_own = std::ranges::any_of(
        suites(), [&](const Suite& own) { return own.name == word.substr(0, word.find('/')); });
    // The program's own suites keep their names, unless a '/' behind says that it is a folder.
    if ((!is_own || end < word.size()) && is_captured(word.substr(0, end))) return end;
    const std::size_t slash = word.substr(0, end).rfind('/');
    if (slash == word.npos || slash == 0 || (is_own && word.find('/') == slash)) return 0;
    return is_captured(word.substr(0, slash)) ? slash : 0;
}

bool names_manifest(std::string_view word) {
    return manifest_length(word) > 0;
}

const std::vector<std::string>& manifest_keys() {
    return manifest::all_keys();
}

Suite suite_from(const std::string& file, std::string_view json) {
    const auto completed =
        std::make_shared<Model>(manifest::read_model(file, json, allowed_folders()));
    const std::shared_ptr<const Model> model = completed;
    for (const Suite& own : suites()) {
        if (own.name != model->name) continue;
        model->fail("$.name",
                    fmt::format("'{}' is a suite of the program; write another name", model->name));
    }
    std::vector<KernelText*> all;
    for (KernelText& text : completed->variants) all.push_back(&text);
    if (completed->reference) all.push_back(&*completed->reference);
    auto texts = std::make_shared<std::map<std::string, std::string>>();
    std::vector<Signature> kernels;
    for (KernelText* text : all) {
        if (!texts->contains(text->source)) {
            (*texts)[text->source] = read_source(*model, text->path + ".source", text->source);
        }
        kernels.push_back(check_signature(*completed, *text, texts->at(text->source)));
        if (!first_answer(*text)) {
            model->fail(
                text->path + ".arguments",
                "no buffer has the use \"output\" or \"in_out\": nothing would be compared");
        }
    }
    const ArgumentText* answer = first_answer(model->variants.front());

    Suite suite;
    suite.name = model->name;
    suite.question = model->question;
    suite.source = model->variants.front().source;
    suite.dimensions = model->dimensions;
    suite.types = {manifest::layout_of(*answer).scalar};
    suite.shapes = model->timed;
    suite.check_shapes = model->checked;
    suite.manifest = file;
    suite.defines = compiled_defines(*model);
    suite.text = [model, texts](std::string_view name) {
        const auto text = texts->find(std::string(name));
        if (text != texts->end()) return text->second;
        // A record of another manifest of this name, or of an earlier state of it.
        throw UsageError(fmt::format("{} has no kernel file '{}'.", model->file, name));
    };
    constexpr std::int64_t most = std::int64_t{1} << 53;
    for (const Constant& constant : model->constants) {
        suite.constants.push_back({.name = constant.name,
                                   .value = constant.value,
                                   .least = -most,
                                   .most = most,
                                   .meaning = "of the manifest",
                                   .changes_answer = true});
    }
    std::map<std::string, std::string> problems;
    for (const KernelText& text : model->variants) {
        Variant variant = variant_of(model, text);
        variant.problem = problems.emplace(problem_of(text), text.name).first->second;
        suite.variants.push_back(std::move(variant));
    }
    const auto text_of = [model](const Case& c) -> const KernelText& {
        for (const KernelText& text : model->variants) {
            if (text.name == c.variant->name) return text;
        }
        // Within a captured folder it has the name of its file.
        return model->reference ? *model->reference : model->variants.front();
    };
    suite.inputs = [model, text_of](const Case& c, const Filling& filling, std::uint64_t seed) {
        return inputs_of(*model, text_of(c), c, filling, seed);
    };
    struct Once {
        std::once_flag flag;
        Tolerance tolerance;
    };
    suite.tolerance = [model, once = std::make_shared<Once>()](const Case& c) {
        if (model->tolerance) return *model->tolerance;
        if (!model->is_captured) return Tolerance::exact();
        std::call_once(once->flag,
                       [&] { once->tolerance = captured_tolerance(*model, c.variant->plan(c)); });
        return once->tolerance;
    };
    suite.work = [model, text_of](const Case& c) {
        const FormulaNames names = names_of(*model, text_of(c), c);
        const auto amount = [&](const char* key, const std::string& formula) {
            try {
                const double value = formula_value(formula, names);
                if (value < 0) throw UsageError(fmt::format("'{}' is below 0", formula));
                return value;
            } catch (const UsageError& error) {
                model->fail(fmt::format("$.work.{}", key), error.what());
            }
        };
        return Work{.bytes = amount("bytes", model->bytes),
                    .operations = amount("operations", model->operations)};
    };
    if (!model->looked_over) {
        suite.remark = [](const Case&, const std::vector<Expected>&) {
            return fmt::format(
                "{}the manifest still has its list 'check' from --init: hold it "
                "against your program, and delete the list.",
                suspicion);
        };
    }
    suite.refuse = [](const Case& c) -> std::string {
        try {
            c.variant->plan(c);
            return {};
        } catch (const UsageError& error) {
            return error.what();
        }
    };
    if (model->reference) {
        suite.reference_kernel = std::make_shared<Variant>(variant_of(model, *model->reference));
    } else if (!model->data.empty()) {
        check_data(*model);
        suite.reference_name = "expected data";
        suite.reference = [model](const Case& c, const std::vector<HostArray>&) {
            return read_data(*model, c.variant->plan(c));
        };
    }
    check_sizes(*model, suite, kernels);
    return suite;
}

namespace {

/// The manifests that were loaded, each at its place for good.
std::list<std::pair<std::filesystem::path, Suite>>& loaded() {
    static std::list<std::pair<std::filesystem::path, Suite>> suites;
    return suites;
}

std::map<std::string, std::vector<RefusedCase>>& refused() {
    static std::map<std::string, std::vector<RefusedCase>> cases;
    return cases;
}

Suite loaded_suite(const std::string& file) {
    if (std::filesystem::is_directory(file)) {
        CapturedSuite captured = captured_suite(file);
        refused()[captured.suite.name] = std::move(captured.refused);
        return std::move(captured.suite);
    }
    std::string text;
    try {
        text = read_file(file, most_manifest_bytes);
    } catch (const UsageError& problem) {
        throw UsageError(fmt::format("The manifest cannot be read: {}.", problem.what()));
    }
    return suite_from(file, text);
}

std::vector<std::filesystem::path>& allowed() {
    static std::vector<std::filesystem::path> folders;
    return folders;
}

}  // namespace

void allow_folders(const std::vector<std::string>& folders) {
    for (const std::string& folder : folders) {
        std::error_code error;
        if (std::filesystem::is_directory(folder, error)) continue;
        throw UsageError(fmt::format("--allow {} is no folder.", folder));
    }
    allowed().assign(folders.begin(), folders.end());
}

const std::vector<std::filesystem::path>& allowed_folders() {
    return allowed();
}

const Suite& manifest_suite(const std::string& file) {
    std::error_code error;
    const std::filesystem::path place = std::filesystem::weakly_canonical(file, error);
    for (const auto& [path, suite] : loaded()) {
        if (path == place) return suite;
    }
    Suite suite = loaded_suite(file);
    for (const auto& [path, other] : loaded()) {
        if (other.name != suite.name) continue;
        throw UsageError(fmt::format("{} and {} have the same name, {}. Give one another.",
                                     other.manifest, file, suite.name));
    }
    return loaded().emplace_back(place, std::move(suite)).second;
}

const Suite* loaded_manifest(std::string_view name) {
    for (const auto& [path, suite] : loaded()) {
        if (suite.name == name) return &suite;
    }
    return nullptr;
}

const Suite& any_suite_named(std::string_view name) {
    const Suite* own = loaded_manifest(name);
    return own ? *own : suite_named(name);
}

const std::vector<RefusedCase>& refused_cases(const Suite& suite) {
    return refused()[suite.name];
}

std::string word_for(const Suite& suite) {
    return suite.manifest.empty() ? suite.name : suite.manifest;
}

}  // namespace parallax
