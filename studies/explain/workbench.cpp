// Builds setups, puts them through the gate, and lets them take turns.
#include "studies/explain/workbench.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/in_hand.hpp"
#include "mapping/translate/only_kernels.hpp"
#include "measure/gate.hpp"
#include "measure/sizing.hpp"
#include "studies/explain/rewrite.hpp"

namespace parallax {
namespace {

/// The variant with a last, dynamic local parameter of so many bytes for launches of one kernel.
std::shared_ptr<const Variant> with_local_bytes(const Variant& variant, const std::string& kernel,
                                                std::uint32_t bytes) {
    auto own = std::make_shared<Variant>(variant);
    own->plan = [plan = variant.plan, kernel, bytes](const Case& c) {
        Plan made = plan(c);
        for (auto& step : made.steps) {
            auto* launch = std::get_if<Launch>(&step.what);
            if (launch && launch->kernel == kernel) {
                launch->arguments.emplace_back(LocalBytes{bytes});
            }
        }
        return made;
    };
    return own;
}

Program program_from_ptx(const Program& program, const std::string& ptx) {
    Program made;
    made.name = program.name;
    made.source = ptx;
    made.language = Language::ptx;
    made.type = program.type;
    made.floats = program.floats;
    return made;
}

}  // namespace

bool same_code(const Outcome& a, const Outcome& b, bool after_ptx) {
    if (a.codes.size() != b.codes.size()) return false;
    for (const auto& [name, code] : a.codes) {
        const auto other = b.codes.find(name);
        if (other == b.codes.end()) return false;
        const Code& x = *code;
        const Code& y = *other->second;
        if (!x.text.empty() && x.text == y.text && x.options == y.options) continue;
        // A cubin names its options: of equal PTX it need not be the same bytes.
        if (!after_ptx && !x.ptx.empty() && x.ptx == y.ptx) continue;
        if (x.machine_code.empty() || x.machine_code != y.machine_code) return false;
    }
    const auto geometries = [](const Plan& plan) {
        std::vector<std::pair<Geometry, std::uint64_t>> all;
        for (const Launch* launch : launches_of(plan)) {
            all.emplace_back(launch->geometry, launch->local_bytes());
        }
        return all;
    };
    return geometries(a.plan) == geometries(b.plan);
}

Workbench::Workbench(const Entry& a, const Entry& b, const RunContext& context)
    : context_(context) {
    seats_.a.entry = a;
    seats_.b.entry = b;
    for (const bool is_b : {false, true}) seats_.of(is_b).usual = seats_.of(is_b).entry.open();
}

Device& Workbench::device_for(Opened& seat, const Configuration& setup) {
    // Code of another compiler may take its context down with it.
    std::unique_ptr<Device>& device = !setup.ptx.empty() ? seat.foreign
                                      : !setup.profiling ? seat.silent
                                                         : seat.usual;
    if (!device) device = seat.entry.open({.profiling = setup.profiling});
    return *device;
}

void Workbench::reopen(bool is_b, Outcome& failed) {
    Opened& seat = seats_.of(is_b);
    const std::string name = name_in_hand(info(is_b), failed);
    failed.codes.clear();
    forget_inputs(is_b);
    for (std::unique_ptr<Device>* device : {&seat.usual, &seat.silent, &seat.foreign}) {
        if (*device) context_.workshop->forget(**device);
        *device = nullptr;
    }
    // Opened anew by whoever needs it next, who can say it when that fails.
    ++seat.generation;
    if (!watched().desk) return;
    try {
        seat.usual = seat.entry.open_again();
    } catch (const Error&) {
        go_on_in_another_process(name, failed.reason);
    }
}

void Workbench::refresh(Built& built, const Configuration& setup) {
    if (built.generation == seats_.of(built.is_b).generation) return;
    std::optional<Checked> checked = std::move(built.outcome.checked);
    built = build(built.is_b, setup);
    if (built.outcome.status != Status::skipped) return;
    built.outcome.status = Status::ok;
    built.outcome.checked = std::move(checked);
}

Case Workbench::case_for(const Configuration& setup, std::shared_ptr<const Variant>& own) const {
    Case c = with_constants(case_, setup.constants);
    if (setup.dynamic_local.empty()) return c;
    Program program = setup.program;
    program.constants = program_of(c, context_).constants;
    const auto dynamic =
        make_local_dynamic(edited_source(program), setup.dynamic_local, c.type, program.constants);
    if (!dynamic) {
        throw Unsupported(fmt::format(
            "'{}' has not just one local array of one dimension and a size that follows from "
            "constants.",
            setup.dynamic_local));
    }
    own = with_local_bytes(*c.variant, setup.dynamic_local, dynamic->bytes);
    c.variant = own.get();
    return c;
}

Codes Workbench::codes_for(Device& device, const Configuration& setup, const Plan& plan) const {
    Codes codes;
    if (setup.ptx.empty()) {
        codes = context_.workshop->take(
            device, setup.lean ? only_launched(setup.program, plan) : setup.program, plan);
        if (!setup.by_driver) return codes;
    }
    std::map<std::string, std::string> texts = setup.ptx;
    if (setup.by_driver) {
        for (const auto& [name, code] : codes) texts[name] = code->ptx;
    }
    Codes made;
    for (const auto& [name, ptx] : texts) {
        Program program = program_from_ptx(setup.program, ptx);
        program.foreign = !setup.ptx.empty();
        made[name] = device.compile(program, name);
    }
    return made;
}

Configuration Workbench::prepared(bool is_b, const Configuration& setup, Built& built) {
    Outcome& o = built.outcome;
    built.device = &device_for(seats_.of(is_b), setup);
    o.the_case = case_for(setup, built.variant);
    o.plan = plan_of(o.the_case);
    o.program = setup.program;
    o.program.constants = program_of(o.the_case, context_).constants;
    if (!setup.dynamic_local.empty()) {
        o.program.source = make_local_dynamic(edited_source(o.program), setup.dynamic_local,
                                              o.the_case.type, o.program.constants)
                               ->source;
        o.program.edits.clear();
    }
    std::string lack = what_it_lacks(info(is_b), o.the_case);
    if (lack.empty()) lack = too_large(info(is_b), o.plan);
    if (!lack.empty()) throw Unsupported(lack);
    Configuration whole = setup;
    whole.program = o.program;
    return whole;
}

void Workbench::ask(bool is_b, const Configuration& setup) {
    // Another queue's device may not be open, and PTX is the driver's to assemble.
    if (!context_.crew || !setup.ptx.empty() || !setup.profiling) return;
    try {
        Built built;
        const Configuration whole = prepared(is_b, setup, built);
        const Plan& plan = built.outcome.plan;
        context_.workshop->ask(
            *built.device, whole.lean ? only_launched(whole.program, plan) : whole.program, plan);
    } catch (const Interrupted&) {
        throw;
    } catch (const Error&) {
        // The trial itself will say it.
    }
}

Built Workbench::build(bool is_b, const Configuration& setup) {
    Built built;
    built.is_b = is_b;
    built.generation = seats_.of(is_b).generation;
    Outcome& o = built.outcome;
    o.the_case = case_;
    try {
        const Configuration whole = prepared(is_b, setup, built);
        o.work = case_.suite->work(o.the_case);
        o.batch_seconds = context_.rule.batch_seconds;
        o.in_cache = o.plan.is_plain() && is_half_in_cache(info(is_b), o.plan);
        o.codes = codes_for(*built.device, whole, o.plan);
        o.build_seconds.push_back(build_seconds(o.codes));
    } catch (...) {
        conclude(info(is_b), o, std::current_exception());
    }
    return built;
}

void Workbench::check(bool is_b, Built& built) {
    Outcome& o = built.outcome;
    try {
        const InHand hand(name_in_hand(info(is_b), o), "its answers were checked");
        o.checked = check_case(*built.device, o.the_case, o.program, o.codes, context_.seed,
                               *context_.workloads, context_.between);
        settle(info(is_b), o);
    } catch (...) {
        conclude(info(is_b), o, std::current_exception());
        if (o.status == Status::failed) reopen(is_b, o);
    }
}

double Workbench::seconds_of_a_run(const Built& built) const {
    const Outcome& o = built.outcome;
    const auto workload = context_.workloads->get(o.the_case, fillings_of(o.the_case)[1],
                                                  context_.seed, info(built.is_b).id());
    Binding binding(*built.device, o.plan, o.codes);
    binding.load(workload->inputs, std::byte{0xff});
    binding.run();
    double least = binding.run().device;
    for (int more = 0; more < 2; ++more) least = std::min(least, binding.run().device);
    return least;
}

void Workbench::forget_inputs(bool is_b) {
    seats_.of(is_b).inputs.clear();
    seats_.of(is_b).inputs_of.reset();
}

Uploaded Workbench::kept_inputs(const Built& built) {
    Opened& seat = seats_.of(built.is_b);
    const Outcome& o = built.outcome;
    // As many sets as taking turns needs, which uploads its own otherwise.
    if (built.device != seat.usual.get() || !has_room(info(built.is_b), o.plan, 4)) return {};
    const auto workload = context_.workloads->get(o.the_case, fillings_of(o.the_case)[1],
                                                  context_.seed, info(built.is_b).id());
    if (seat.inputs_of == workload) return seat.inputs;
    forget_inputs(built.is_b);
    try {
        seat.inputs = uploaded(*built.device, *workload);
        seat.inputs_of = workload;
    } catch (const Interrupted&) {
        throw;
    } catch (const std::exception&) {
        // The measurement by turns will fail at the same thing, and say so.
    }
    return seat.inputs;
}

std::optional<PairTiming> Workbench::turns(Built& x, const Configuration& setup_x, Built& y,
                                           const Configuration& setup_y, const PairRule& rule) {
    refresh(x, setup_x);
    refresh(y, setup_y);
    if (!x.ok() || !y.ok()) return {};
    try {
        Turns turns(*x.device, *y.device, x.outcome, y.outcome, context_);
        turns.take_inputs(kept_inputs(x), kept_inputs(y));
        const Crew::Rest rest(context_.crew);
        return turns.measure(rule);
    } catch (const SideError& error) {
        // What went wrong may have written there, or have taken the device along.
        for (const bool is_b : {false, true}) forget_inputs(is_b);
        Built& bad = error.on_b ? y : x;
        if (bad.outcome.checked && !bad.outcome.checked->right()) {
            settle(info(bad.is_b), bad.outcome);
        } else {
            conclude(info(bad.is_b), bad.outcome, error.cause);
            reopen(bad.is_b, bad.outcome);
        }
        return {};
    }
}

}  // namespace parallax
