// Builds configurations, verifies them, and times them alternately.
#include "studies/explain/case_bench.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/process/watchdog.hpp"
#include "mapping/analyze/only_kernels.hpp"
#include "measure/sizing.hpp"
#include "measure/verification.hpp"
#include "studies/explain/rewrite.hpp"

namespace parallax {
namespace {

/// The variant with a last, dynamic local parameter of this many bytes for launches of one kernel.
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

/// The variant with a plan that is changed.
std::shared_ptr<const Variant> with_plan(const Variant& variant, std::vector<PlanChange> changes) {
    auto own = std::make_shared<Variant>(variant);
    own->plan = [plan = variant.plan, changes = std::move(changes)](const Case& c) {
        Plan made = plan(c);
        for (const PlanChange& change : changes) change(made);
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
    if (a.codes.empty()) return a.plan == b.plan;  // copies alone
    for (const auto& [name, code] : a.codes) {
        const auto other = b.codes.find(name);
        if (other == b.codes.end()) return false;
        const Code& x = *code;
        const Code& y = *other->second;
        if (!x.source.empty() && x.source == y.source && x.options == y.options) continue;
        // A cubin names its options: of equal PTX it need not be the same bytes.
        if (!after_ptx && !x.ptx.empty() && x.ptx == y.ptx) continue;
        if (x.machine_code.empty() || x.machine_code != y.machine_code) return false;
    }
    return a.plan == b.plan;
}

CaseBench::CaseBench(MeasurementContext& context, const Entry& a, const Entry& b)
    : config_(context.config) {
    sides_.a.session = &context.add_session(a);
    sides_.b.session = &context.add_session(b);
    for (const bool is_b : {false, true}) device(is_b);
}

Device& CaseBench::device_for(bool is_b, const Configuration& configuration) {
    const bool is_foreign = !configuration.ptx.empty() && !configuration.is_tried;
    return sides_.of(is_b).session->device(
        {.options = configuration.opened, .foreign_code = is_foreign});
}

void CaseBench::refresh(Built& built, const Configuration& configuration) {
    if (built.generation == sides_.of(built.is_b).session->generation()) return;
    std::optional<VerificationResult> checked = std::move(built.outcome.checked);
    built = build(built.is_b, configuration);
    if (built.outcome.status != Status::skipped) return;
    built.outcome.status = Status::ok;
    built.outcome.checked = std::move(checked);
}

Case CaseBench::case_for(bool is_b, const Configuration& configuration,
                         std::shared_ptr<const Variant>& own) const {
    Case c = with_constants(cases_.of(is_b), configuration.constants);
    if (!configuration.plan_changes.empty()) {
        own = with_plan(*c.variant, configuration.plan_changes);
        c.variant = own.get();
    }
    if (configuration.dynamic_local.empty()) return c;
    Program program = configuration.program;
    program.constants = program_of(c, config_, info(is_b).backend).constants;
    const auto dynamic = make_local_dynamic(edited_source(program), configuration.dynamic_local,
                                            c.type, program.constants);
    if (!dynamic) {
        throw Unsupported(fmt::format(
            "'{}' has not just one local array of one dimension and a size that follows from "
            "constants.",
            configuration.dynamic_local));
    }
    own = with_local_bytes(*c.variant, configuration.dynamic_local, dynamic->bytes);
    c.variant = own.get();
    return c;
}

Codes CaseBench::codes_for(Device& device, const Configuration& configuration,
                           const Plan& plan) const {
    Codes codes;
    if (configuration.ptx.empty()) {
        codes = config_.programs->take(
            device,
            configuration.lean ? only_launched(configuration.program, plan) : configuration.program,
            plan);
        if (!configuration.by_driver && configuration.ptx_changes.empty()) return codes;
    }
    std::map<std::string, std::string> texts = configuration.ptx;
    for (const auto& [name, code] : codes) texts[name] = code->ptx;
    for (const auto& change : configuration.ptx_changes) {
        for (auto& [name, text] : texts) text = change(text);
    }
    Codes made;
    for (const auto& [name, ptx] : texts) {
        Program program = program_from_ptx(configuration.program, ptx);
        program.foreign = !configuration.ptx.empty();
        made[name] = device.compile(program, name);
    }
    return made;
}

Configuration CaseBench::prepared(bool is_b, const Configuration& configuration, Built& built) {
    Outcome& o = built.outcome;
    built.device = &device_for(is_b, configuration);
    o.the_case = case_for(is_b, configuration, built.variant);
    o.plan = plan_of(o.the_case);
    o.program = configuration.program;
    o.program.constants = program_of(o.the_case, config_, info(is_b).backend).constants;
    if (!configuration.dynamic_local.empty()) {
        o.program.source = make_local_dynamic(edited_source(o.program), configuration.dynamic_local,
                                              o.the_case.type, o.program.constants)
                               ->source;
        o.program.edits.clear();
    }
    std::string lack = missing_capability(info(is_b), o.the_case);
    if (lack.empty()) lack = too_large(info(is_b), o.plan);
    if (!lack.empty()) throw Unsupported(lack);
    Configuration whole = configuration;
    whole.program = o.program;
    return whole;
}

void CaseBench::ask(bool is_b, const Configuration& configuration) {
    // Another queue's device may not be open, and PTX is the driver's to assemble.
    if (!config_.pool || !configuration.ptx.empty() || configuration.opened != OpenOptions{}) {
        return;
    }
    try {
        Built built;
        const Configuration whole = prepared(is_b, configuration, built);
        const Plan& plan = built.outcome.plan;
        config_.programs->ask(
            *built.device, whole.lean ? only_launched(whole.program, plan) : whole.program, plan);
    } catch (const Interrupted&) {
        throw;
    } catch (const Error&) {
        // The trial itself will say it.
    }
}

Built CaseBench::build(bool is_b, const Configuration& configuration) {
    Built built;
    built.is_b = is_b;
    built.generation = sides_.of(is_b).session->generation();
    Outcome& o = built.outcome;
    o.the_case = cases_.of(is_b);
    try {
        const Configuration whole = prepared(is_b, configuration, built);
        o.work = o.the_case.suite->work(o.the_case);
        o.batch_seconds = config_.rule.batch_seconds;
        o.in_cache = o.plan.is_plain() && is_half_in_cache(info(is_b), o.plan);
        o.codes = codes_for(*built.device, whole, o.plan);
        o.build_seconds.push_back(build_seconds(o.codes));
    } catch (...) {
        status_from_exception(info(is_b), o, std::current_exception());
    }
    return built;
}

void CaseBench::check(bool is_b, Built& built, Check how) {
    Outcome& o = built.outcome;
    try {
        const WatchdogScope hand(watchdog_name(info(is_b), o), "its answers were checked");
        Verifier verifier{*built.device, *config_.references, config_.seed,
                          config_.check_interrupt};
        verifier.is_first_look = how == Check::first_look;
        o.checked = verifier.verify(o.the_case, o.program, o.codes);
        status_from_verification(info(is_b), o);
        // What writes outside of its buffers may have written to these.
        if (o.status != Status::ok) forget_inputs(is_b);
    } catch (...) {
        status_from_exception(info(is_b), o, std::current_exception());
        if (o.status != Status::failed) return;
        o.codes.clear();
        forget_inputs(is_b);
        session(is_b).reopen(o.the_case, o.reason);
    }
}

double CaseBench::seconds_of_a_run(const Built& built) const {
    const Outcome& o = built.outcome;
    const auto reference_data = config_.references->get(
        o.the_case, input_patterns_of(o.the_case)[1], config_.seed, info(built.is_b).id());
    Binding binding(*built.device, o.plan, o.codes);
    binding.load(reference_data->inputs, std::byte{0xff});
    binding.run();
    double least = binding.run().device;
    for (int more = 0; more < 2; ++more) least = std::min(least, binding.run().device);
    return least;
}

void CaseBench::forget_inputs(bool is_b) {
    sides_.of(is_b).inputs.clear();
    sides_.of(is_b).inputs_of.reset();
}

Uploaded CaseBench::kept_inputs(const Built& built) {
    OneSide& side = sides_.of(built.is_b);
    const Outcome& o = built.outcome;
    // The timer makes its own otherwise.
    const bool uploads = TimedInputs::renewal_on(info(built.is_b), o.the_case, o.plan, config_) ==
                         TimedInputs::Renewal::none;
    if (!uploads || built.device != &side.session->device() ||
        !has_room(info(built.is_b), o.plan, 4)) {
        return {};
    }
    const auto reference_data = config_.references->get(
        o.the_case, input_patterns_of(o.the_case)[1], config_.seed, info(built.is_b).id());
    if (side.inputs_of == reference_data) return side.inputs;
    forget_inputs(built.is_b);
    try {
        side.inputs = uploaded(*built.device, *reference_data);
        side.inputs_of = reference_data;
    } catch (const Interrupted&) {
        throw;
    } catch (const std::exception&) {
        // The measurement alternately will fail at the same thing, and say so.
    }
    return side.inputs;
}

std::optional<PairTiming> CaseBench::time_paired(Built& x, const Configuration& setup_x, Built& y,
                                                 const Configuration& setup_y, const PairRule& rule,
                                                 bool looks_further) {
    refresh(x, setup_x);
    refresh(y, setup_y);
    if (!x.ok() || !y.ok()) return {};
    try {
        PairedTimer timer(*x.device, *y.device, x.outcome, y.outcome, config_);
        timer.take_inputs(kept_inputs(x), kept_inputs(y));
        if (!looks_further) timer.look_no_further();
        // Builds the other programs meanwhile, where that does not affect the launches.
        std::optional<ThreadPool::Pause> rest(std::in_place, config_.pool);
        for (timer.begin(rule); !timer.rounds().has_ended();) {
            timer.go_on();
            if (!timer.minds_the_host()) rest.reset();
        }
        return timer.rounds().timing();
    } catch (const SideError& error) {
        // A failed launch may have written to the inputs, or have made the device unusable.
        for (const bool is_b : {false, true}) forget_inputs(is_b);
        Built& bad = error.on_b ? y : x;
        session(bad.is_b).fail(bad.outcome, error.cause);
        return {};
    }
}

}  // namespace parallax
