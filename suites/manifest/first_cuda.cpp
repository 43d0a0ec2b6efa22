// Matches the parameters of a CUDA kernel with the arguments of a first manifest.
#include "suites/manifest/first_cuda.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/error.hpp"
#include "common/text/characters.hpp"
#include "mapping/analyze/value_type.hpp"
#include "mapping/cuda/device_code.hpp"

namespace parallax::manifest {
namespace {

using OrderedJson = nlohmann::ordered_json;
using Kind = GuessedArgument::Kind;

/// A parameter, symbol or array of the CUDA side, as `readings` have it.
struct Slot {
    std::string name, type;  ///< of the manifest where it is alone
    const CudaVariable* variable = nullptr;
    const Parameter* parameter = nullptr;

    bool is_shared() const { return variable && variable->kind == CudaVariable::Kind::shared; }
    bool is_symbol() const { return variable && !is_shared(); }
};

/// In the order of the reading's parameters.
std::vector<Slot> slots_of(const CudaKernel& kernel, const KernelReading& reading) {
    std::vector<Slot> made;
    const auto& all = reading.signature.parameters;
    const std::size_t own = kernel.signature.parameters.size();
    std::vector<const CudaVariable*> variables;
    for (const auto* list : {&kernel.symbols, &kernel.shared}) {
        for (const CudaVariable& one : *list) {
            if (one.value.empty()) variables.push_back(&one);
        }
    }
    for (std::size_t p = 0; p < all.size(); ++p) {
        Slot& one = made.emplace_back(Slot{all[p].name, all[p].type, nullptr, &all[p]});
        if (p < own) {
            one.parameter = &kernel.signature.parameters[p];
            one.type = one.parameter->type;
        } else if (p - own < variables.size()) {
            one.variable = variables[p - own];
        }
    }
    return made;
}

bool is_number(const std::string& text) {
    return !text.empty() && std::ranges::all_of(text, is_digit);
}

GuessedArgument* argument_named(LaunchGuess& guess, const std::string& name) {
    const auto found = std::ranges::find(guess.arguments, name, &GuessedArgument::name);
    return found == guess.arguments.end() ? nullptr : &*found;
}

/// The formula in the manifest's names; nothing: it has others.
std::optional<std::string> in_names(const std::string& text,
                                    const std::map<std::string, std::string>& names) {
    std::string made;
    for (std::size_t i = 0; i < text.size();) {
        const std::string word = text.substr(i, std::max<std::size_t>(word_end(text, i) - i, 1));
        i += word.size();
        const bool is_name = is_word_character(word[0]) && !is_digit(word[0]) &&
                             !(i < text.size() && text[i] == '(') && !word.starts_with("items_") &&
                             !word.starts_with("groups_");
        const auto found = names.find(word);
        if (is_name && found == names.end()) return {};
        made += is_name ? found->second : word;
    }
    return made;
}

/// The names of a manifest as they are.
std::map<std::string, std::string> names_of(const LaunchGuess& guess) {
    std::map<std::string, std::string> names;
    for (const std::string& size : guess.sizes) names[size] = size;
    for (const GuessedArgument& one : guess.arguments) names.emplace(one.name, one.name);
    return names;
}

/// A variable of one number becomes a buffer of one element, which is how a manifest fills it.
void make_variable(GuessedArgument& one) {
    for (GuessedArgument& member : one.members) make_variable(member);
    if (!one.formula.empty()) {
        one.fill = formula(one.formula).is_number()
                       ? fmt::format("{{\"value\": {}}}", one.formula)
                       : fmt::format("{{\"formula\": {}}}", OrderedJson(one.formula).dump());
    }
    one.kind = Kind::buffer;
    one.formula = "1";
    one.use = "input";
}

/// A `bool` by value is a byte in a manifest, of 0 or 1.
void make_byte(GuessedArgument& one, const Slot& slot, LaunchGuess& guess) {
    if (!slot.parameter || slot.type != "bool" || one.kind != Kind::value) return;
    one.type = "uchar";
    std::ranges::replace(guess.numbers, fmt::format("{} {}", one.name, one.formula),
                         one.name + " 1");
    one.formula = "1";
}

/// Adds facts about an argument that the CUDA source has and the OpenCL C body lacks.
void complete(GuessedArgument& one, const Slot& slot, const CudaKernel& kernel,
              LaunchGuess& guess) {
    if (slot.is_symbol() && one.kind == Kind::value) {
        // Formulas cannot ask for what a buffer holds.
        auto names = names_of(guess);
        if (!names.contains(one.name) || one.formula != one.name) names[one.name] = one.formula;
        for (GuessedArgument& other : guess.arguments) {
            if (auto text = in_names(other.formula, names); text && &other != &one)
                other.formula = *text;
        }
        for (std::string& group : guess.groups) group = in_names(group, names).value_or(group);
        make_variable(one);
    } else if (slot.is_symbol() && one.kind == Kind::buffer) {
        const std::string& count = slot.variable->count;
        one.formula = count.empty() ? "1" : is_number(count) ? count : one.formula;
        if (!one.formula.empty()) one.ask.clear();
        if (one.use != "input" && one.use != "output" && (count.empty() || one.fill.empty())) {
            one.fill = R"({"value": 0})";
        }
    }
    make_byte(one, slot, guess);
    const auto image = std::ranges::find(kernel.images, slot.name, &CudaImage::name);
    if (image != kernel.images.end() && one.kind == Kind::image) {
        one.channels = image->channels;
        one.type = image->element;
        const auto is_said = [&](const std::string& note) {
            return note.starts_with(fmt::format("'{}' is taken to have four channels", one.name));
        };
        std::erase_if(guess.notes, is_said);
    }
    if (slot.type.ends_with("nv_bfloat16") && one.kind == Kind::buffer) {
        if (!one.fill.empty()) one.fill = R"({"random": [16128, 16512]})";
        guess.answer = coarser(guess.answer, "rounded");
        guess.notes.push_back(fmt::format(
            "'{}' holds numbers of bfloat16, of which a manifest has the bits: those from 16128 to "
            "16512 are the numbers from 0.5 to 4. Its answers are compared as bits.",
            one.name));
    }
}

/// A name without what hosts and devices add to it: `d_x`, `x_dev`, `g_idata`.
std::string plain_name(std::string name) {
    for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    for (const std::string_view before :
         {"d_", "dev_", "g_", "gpu_", "cu_", "c_", "s_", "p_", "k_"}) {
        if (name.starts_with(before) && name.size() > before.size()) {
            name.erase(0, before.size());
            break;
        }
    }
    for (const std::string_view behind : {"_d", "_dev", "_gpu", "_g"}) {
        if (name.ends_with(behind) && name.size() > behind.size()) {
            name.resize(name.size() - behind.size());
            break;
        }
    }
    std::erase(name, '_');
    return name;
}

/// Whether a slot can be that argument, whatever their types.
bool is_kind(const Slot& slot, const GuessedArgument& one, const Parameter& opencl) {
    if (slot.is_shared() || one.kind == Kind::local)
        return slot.is_shared() && one.kind == Kind::local;
    if (slot.is_symbol()) return one.kind == Kind::buffer && !slot.variable->count.empty();
    if (slot.parameter->kind == Parameter::Kind::image) return one.kind == Kind::image;
    if (slot.parameter->kind == Parameter::Kind::scalar) return one.kind == Kind::value;
    // A read-only buffer does not match a written one.
    return one.kind == Kind::buffer && (!opencl.read_only || !slot.parameter ||
                                        slot.parameter->read_only || one.use == "input");
}

/// Matches the parameters of one kernel of both sides.
class Match {
public:
    Match(const CudaKernel& cuda, const KernelReading& reading, const KernelReading& opencl,
          const RowGuess::Step& step, LaunchGuess& all)
        : cuda_(cuda),
          slots_(slots_of(cuda, reading)),
          opencl_(opencl),
          step_(step),
          all_(all),
          found_(slots_.size(), -1) {
        pair([](const Slot& slot, const std::string& name, const Parameter&) {
            return slot.name == name;
        });
        pair([](const Slot& slot, const std::string& name, const Parameter&) {
            return plain_name(slot.name) == plain_name(name);
        });
        by_name_ = found_;
        pair([](const Slot& slot, const std::string&, const Parameter& one) {
            return slot.type == one.type && slot.parameter &&
                   slot.parameter->read_only == one.read_only;
        });
        pair([](const Slot& slot, const std::string&, const Parameter& one) {
            return slot.type == one.type;
        });
        pair([](const Slot&, const std::string&, const Parameter&) { return true; });
    }

    const std::vector<Slot>& slots() const { return slots_; }
    /// The argument's name; empty: OpenCL's kernel has none.
    std::string name_of(std::size_t slot) const {
        return found_[slot] < 0 ? "" : step_.arguments[static_cast<std::size_t>(found_[slot])];
    }
    bool has(std::size_t argument) const {
        return std::ranges::find(found_, static_cast<int>(argument)) != found_.end();
    }

    /// The number of the OpenCL kernel that is this variable in CUDA; empty: none.
    std::string value_like(const Slot& slot) const {
        if (!slot.variable->count.empty()) return {};
        for (std::size_t p = 0; p < step_.arguments.size(); ++p) {
            const GuessedArgument* one = argument_named(all_, step_.arguments[p]);
            const std::string& name = opencl_.signature.parameters[p].name;
            const bool same = plain_name(name) == plain_name(slot.name);
            if (one && one->kind == Kind::value && one->members.empty() && same && !has(p))
                return one->name;
        }
        return {};
    }

    void note_doubts() {
        for (std::size_t s = 0; s < slots_.size(); ++s) {
            if (found_[s] < 0) continue;
            const auto p = static_cast<std::size_t>(found_[s]);
            const Parameter& opencl = opencl_.signature.parameters[p];
            if (by_name_[s] < 0) {
                all_.notes.push_back(fmt::format(
                    "'{}' is taken to be '{}' of the CUDA kernel, by its {}.", step_.arguments[p],
                    slots_[s].name, slots_[s].type == opencl.type ? "type" : "place"));
            }
            const std::string cuda = slots_[s].variable ? slots_[s].variable->type : slots_[s].type;
            if (!slots_[s].is_shared() && cuda != opencl.type && opencl.members.empty() &&
                opencl.kind != Parameter::Kind::image) {
                all_.notes.push_back(fmt::format(
                    "'{}' is {} in OpenCL C and {} in CUDA: do both say the same bytes?",
                    step_.arguments[p], opencl.type, cuda));
            }
        }
    }

private:
    template <class Fits>
    void pair(const Fits& fits) {
        for (std::size_t s = 0; s < slots_.size(); ++s) {
            for (std::size_t p = 0; p < step_.arguments.size() && found_[s] < 0; ++p) {
                const GuessedArgument* one = argument_named(all_, step_.arguments[p]);
                const Parameter& opencl = opencl_.signature.parameters[p];
                if (!one || has(p) || !is_kind(slots_[s], *one, opencl)) continue;
                if (fits(slots_[s], opencl.name, opencl)) found_[s] = static_cast<int>(p);
            }
        }
    }

    const CudaKernel& cuda_;
    std::vector<Slot> slots_;
    const KernelReading& opencl_;
    const RowGuess::Step& step_;
    LaunchGuess& all_;
    std::vector<int> found_, by_name_;
};

KernelReading read(const std::string& file, const CudaKernel& kernel) {
    KernelReading made = read_kernels(file, kernel.reading, {}).at(0);
    std::string text = kernel.reading;
    if (hint_block(text, made, kernel.items)) made = read_kernels(file, text, {}).at(0);
    made.signature.kernel = kernel.signature.kernel;
    return made;
}

}  // namespace

OrderedJson formula(const std::string& text) {
    if (text.empty()) return nullptr;
    const auto number = OrderedJson::parse(text, nullptr, false);
    return number.is_number() ? number : OrderedJson(text);
}

OrderedJson formulas(const std::vector<std::string>& texts) {
    OrderedJson made = OrderedJson::array();
    for (const std::string& one : texts) made.push_back(formula(one));
    return made;
}

void refuse_kernels(const std::string& file, const std::string& what,
                    const std::vector<std::string>& names) {
    throw UsageError(
        fmt::format("{} has {}: {}. Give one of them with --kernel NAME, or several that are "
                    "launched in a row.",
                    file, what, fmt::join(names, ", ")));
}

bool hint_block(std::string& text, const KernelReading& reading,
                const std::array<unsigned, 3>& items) {
    std::vector<std::string> words;
    for (int d = 0; d < reading.body.dimensions; ++d) {
        words.push_back(std::to_string(items.at(static_cast<std::size_t>(d))));
    }
    constexpr std::string_view mark = "__kernel";
    const std::size_t name = text.find("void " + reading.signature.kernel + "(");
    const std::size_t at = text.rfind(mark, name);
    if (items[0] == 0 || at == text.npos || guess_launch(reading).items == words) return false;
    text.insert(at + mark.size(),
                fmt::format(" __attribute__((work_group_size_hint({})))", fmt::join(words, ", ")));
    return true;
}

CudaSide cuda_side(const FirstManifest& first, const std::vector<std::string>& words) {
    CudaSide side;
    side.kernels =
        cuda_kernels(first.cuda, first.cuda_source, {.defines = first.defines, .kernels = words});
    if (side.kernels.empty()) {
        throw UsageError(
            fmt::format("{} has no __global__ function that can be seen. Where conditions decide, "
                        "give the -D and -I of your build.",
                        first.cuda));
    }
    if (side.kernels.size() > std::max<std::size_t>(words.size(), 1)) {
        std::vector<std::string> names;
        for (const CudaKernel& one : side.kernels) names.push_back(one.expression);
        refuse_kernels(first.cuda, fmt::format("{} kernels", names.size()), names);
    }
    for (const CudaKernel& one : side.kernels) {
        if (!one.open.empty()) {
            throw UsageError(fmt::format(
                "{}: the kernel is a template, and nothing says {}: give its arguments, --kernel "
                "'{}' with a type or a number in place of {}.",
                first.cuda, fmt::join(one.open, " and "), one.expression,
                one.open.size() == 1 ? one.open.front() : "each parameter"));
        }
        side.readings.push_back(read(first.cuda, one));
    }
    return side;
}

OrderedJson cuda_alone(const FirstManifest& first, const CudaSide& side, RowGuess& row) {
    OrderedJson symbols = OrderedJson::object();
    for (std::size_t k = 0; k < side.kernels.size(); ++k) {
        const auto slots = slots_of(side.kernels[k], side.readings[k]);
        for (std::size_t s = 0; s < slots.size(); ++s) {
            GuessedArgument* one = argument_named(row.all, row.steps[k].arguments[s]);
            if (!one) continue;
            complete(*one, slots[s], side.kernels[k], row.all);
            if (slots[s].is_symbol()) symbols[one->name] = slots[s].variable->name;
        }
        row.steps[k].kernel = side.kernels[k].expression;
        row.steps[k].is_cooperative = side.kernels[k].waits_for_grid;
    }
    if (symbols.empty()) return first.cuda;
    return {{"source", first.cuda}, {"symbols", symbols}};
}

namespace {

/// Writes where a kernel of CUDA is launched otherwise than step `k`, as far as its source says.
void note_launch(OrderedJson& launch, const CudaKernel& kernel, const BodyReading& body,
                 const LaunchGuess& own, const std::map<std::string, std::string>& names,
                 RowGuess& row, std::size_t k) {
    const RowGuess::Step& step = row.steps[k];
    const bool says = kernel.items[0] != 0 ||
                      std::ranges::any_of(body.fitting, [](unsigned one) { return one != 0; });
    std::vector<std::string> groups;
    for (const std::string& one : own.groups) {
        if (const auto text = in_names(one, names)) groups.push_back(*text);
    }
    if (says && own.items != step.items) {
        launch["items"] = formulas(own.items);
        // Work-groups of whole sizes are whole on this side, too.
        const std::uint64_t before = row.all.step;
        for (const unsigned one : kernel.items) {
            if (one != 0) row.all.step = std::lcm(row.all.step, std::uint64_t{one});
        }
        if (row.all.whole && row.all.step != before) row.all.choose_shapes();
    }
    const bool known = groups.size() == own.groups.size();
    if (known && groups != step.groups) launch["groups"] = formulas(groups);
    if (!known) {
        row.all.notes.emplace_back(
            "The CUDA kernel is taken to have the OpenCL kernel's number of work-groups: its "
            "own source does not determine it.");
    }
}

}  // namespace

OrderedJson cuda_beside(const FirstManifest& first, const CudaSide& side,
                        const std::vector<KernelReading>& opencl, RowGuess& row) {
    if (side.kernels.size() != opencl.size()) {
        throw UsageError(fmt::format(
            "{} kernels of {} cannot be put beside {} of {}: give --kernel as often for each.",
            side.kernels.size(), first.cuda, opencl.size(), first.file));
    }
    OrderedJson made{{"source", first.cuda}}, symbols = OrderedJson::object(),
                                              launches = OrderedJson::array();
    bool differs = false;
    for (std::size_t k = 0; k < side.kernels.size(); ++k) {
        const CudaKernel& kernel = side.kernels[k];
        LaunchGuess own = guess_launch(side.readings[k]);
        Match match(kernel, side.readings[k], opencl[k], row.steps[k], row.all);
        if (first.translated.empty()) match.note_doubts();
        auto names = names_of(row.all);
        for (std::size_t s = 0; s < match.slots().size(); ++s) {
            if (!match.name_of(s).empty())
                names.insert_or_assign(match.slots()[s].name, match.name_of(s));
        }
        for (std::size_t p = 0; p < row.steps[k].arguments.size(); ++p) {
            GuessedArgument* one = argument_named(row.all, row.steps[k].arguments[p]);
            if (one && !match.has(p)) one->only = "opencl";
        }
        std::vector<std::string> order;
        for (std::size_t s = 0; s < match.slots().size(); ++s) {
            const Slot& slot = match.slots()[s];
            GuessedArgument& guessed = own.arguments[s];
            std::string name = match.name_of(s);
            const std::string twin = slot.is_symbol() ? match.value_like(slot) : "";
            if (!twin.empty()) guessed.formula = names[slot.name] = twin;
            complete(guessed, slot, kernel, own);
            const auto length = in_names(guessed.formula, names);
            if (name.empty()) {
                name = guessed.name;
                while (argument_named(row.all, name)) name += "_cuda";
                GuessedArgument& one = row.all.arguments.emplace_back(guessed);
                one.name = name;
                one.only = "cuda";
                const auto is_its = [&](const std::string& number) {
                    return number.starts_with(one.name + " ");
                };
                std::ranges::copy_if(own.numbers, std::back_inserter(row.all.numbers), is_its);
                one.formula = length.value_or("");
                if (one.formula.empty() && one.kind != Kind::value && one.ask.empty())
                    one.ask = "How many elements has it?";
                if (twin.empty()) {
                    row.all.notes.push_back(fmt::format(
                        "The OpenCL kernel has nothing like '{}' of the CUDA kernel.", slot.name));
                }
            } else if (GuessedArgument* one = argument_named(row.all, name);
                       one && slot.type == "bool") {
                make_byte(*one, slot, row.all);
            } else if (one && !guessed.formula.empty() && one->kind != Kind::value &&
                       one->kind != Kind::image) {
                // The other source may say what this one does not.
                if (one->formula.empty() && length) {
                    one->formula = *length;
                    one->ask.clear();
                } else if (slot.is_symbol() && is_number(guessed.formula) &&
                           guessed.formula != one->formula) {
                    row.all.notes.push_back(fmt::format(
                        "'{}' has {} elements in CUDA, and {} as the OpenCL kernel reads it.", name,
                        guessed.formula, one->formula));
                    one->formula = guessed.formula;
                }
            }
            if (slot.is_symbol()) {
                symbols[name] = slot.variable->name;
            } else {
                order.push_back(name);
            }
        }
        // Without a word of its own the order is that of the OpenCL kernel; where several are
        // launched, symbols are no exception.
        std::vector<std::string> usual = row.steps[k].arguments;
        const bool is_alone = side.kernels.size() == 1;
        if (is_alone) {
            std::erase_if(usual, [&](const std::string& one) {
                const GuessedArgument* argument = argument_named(row.all, one);
                return !argument || argument->only == "opencl" || argument->kind == Kind::sampler ||
                       symbols.contains(one);
            });
        }
        for (const GuessedArgument& one : row.all.arguments) {
            if (is_alone && one.only == "cuda" && !symbols.contains(one.name))
                usual.push_back(one.name);
        }
        OrderedJson launch = OrderedJson::object();
        if (kernel.expression != row.steps[k].kernel) launch["kernel"] = kernel.expression;
        if (order != usual) launch["arguments"] = order;
        if (first.translated.empty()) {
            note_launch(launch, kernel, side.readings[k].body, own, names, row, k);
        }
        if (kernel.waits_for_grid) launch["cooperative"] = true;
        differs = differs || !launch.empty();
        if (side.kernels.size() > 1) {
            launch = {{"kernel", kernel.expression},
                      {"arguments", order},
                      {"items", launch.value("items", formulas(row.steps[k].items))},
                      {"groups", launch.value("groups", formulas(row.steps[k].groups))}};
            if (kernel.waits_for_grid) launch["cooperative"] = true;
        }
        launches.push_back(std::move(launch));
    }
    if (launches.size() == 1) {
        for (const auto& [key, value] : launches[0].items()) made[key] = value;
    } else if (differs) {
        made["launches"] = launches;
    }
    if (!symbols.empty()) made["symbols"] = symbols;
    return made.size() == 1 ? OrderedJson(first.cuda) : made;
}

}  // namespace parallax::manifest
