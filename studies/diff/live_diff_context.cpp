// Both sides of a live diff.
#include "studies/diff/live_diff_context.hpp"

#include <algorithm>

#include "measure/paired_timer.hpp"

namespace parallax {

namespace {

/// The configuration in which A's answers are right where nothing else says what is.
RunConfig with_base(RunConfig config, const LiveRequest& request) {
    if (!request.kernels.empty() && !request.has_own_data)
        config.base = request.what.picks.front().variant;
    config.compares_answers = config.compares_answers && !request.has_own_data;
    return config;
}

}  // namespace

const Variant& LiveRequest::on_b(const Variant& of_a) const {
    const auto found = std::ranges::find(kernels, &of_a, &Both<const Variant*>::a);
    return found == kernels.end() ? of_a : *found->b;
}

const Variant& LiveRequest::on_a(const Variant& of_b) const {
    const auto found = std::ranges::find(kernels, &of_b, &Both<const Variant*>::b);
    return found == kernels.end() ? of_b : *found->a;
}

LiveDiffContext::LiveDiffContext(const LiveRequest& asked, const RunConfig& config,
                                 const RunInfo& info, const LiveListener& to)
    : request(asked),
      run(info),
      listener(to),
      cases(by_worth(expand(asked.what))),
      context(with_base(config, asked), {asked.a, asked.b}, asked.what.budget_seconds),
      a(context.add_session(asked.a)),
      b(context.add_session(asked.b)),
      a_again(context.add_session(asked.a)),
      b_again(context.add_session(asked.b)) {
    context.config.only_checks = untimed() != nullptr;
    context.config.is_paired = true;
    context.config.has_time = [&budget = time_budget] { return budget.left() > 0; };
    if (to.trouble) context.config.locks.tell = to.trouble;
}

void LiveDiffContext::lock_devices() {
    if (device_locks.empty())
        device_locks = parallax::lock_devices({a.entry.info, b.entry.info}, context.config.locks);
}

const Entry* LiveDiffContext::untimed() const {
    for (const DeviceSession* device_session : {&a, &b}) {
        if (device_session->entry.info.only_checks) return &device_session->entry;
    }
    return nullptr;
}

bool LiveDiffContext::has_other_buffers(const Case& c) const {
    if (!request.what.tuned || c.shape.extents.empty()) return false;
    const auto shared = [&](const Entry& entry) {
        std::vector<BufferSpec> buffers = plan_of(request.what.tuned(c, entry.info)).buffers;
        std::erase_if(buffers, [](const BufferSpec& one) { return one.role == Role::scratch; });
        return buffers;
    };
    return shared(a.entry) != shared(b.entry);
}

Case LiveDiffContext::on(bool is_b, const Case& asked) const {
    const Case c = is_b && !request.kernels.empty()
                       ? with_kernel(asked, request.on_b(*asked.variant), request.what.defines)
                       : asked;
    if (!request.what.tuned || c.shape.extents.empty() || has_other_buffers(c)) return c;
    return request.what.tuned(c, (is_b ? b : a).entry.info);
}

void LiveDiffContext::tell(const std::string& what) {
    progress.what = what;
    progress.elapsed_seconds = time_budget.elapsed();
    progress.left_seconds = std::max(0.0, request.what.budget_seconds - progress.elapsed_seconds);
    if (listener.progress) listener.progress(progress);
}

void LiveDiffContext::keep(Outcome outcome, const Entry& entry, char side) {
    note_host_trial(context.config, outcome);
    Record record = to_record(outcome, entry.info, run);
    record.side = side;
    // Data of two programs are not compared here.
    if (side == 'b' && request.has_own_data && record.check) record.check->output_hash.clear();
    if (side == 'b' && !request.kernels.empty()) {
        const Variant& first = request.on_a(*outcome.the_case.variant);
        const Case c = with_kernel(outcome.the_case, first, request.what.defines);
        record.compared_with = first.name;
        record.compared_constants = key_of(c).constants;
    }
    listener.keep(std::move(record));
}

const Record* LiveDiffContext::earlier(const Case& c) const {
    return context.config.earlier.record(b.entry.info.id(), on(true, c), 'b');
}

double LiveDiffContext::time_for_one(std::size_t checked) const {
    const std::size_t to_do = progress.total - progress.done;
    const std::size_t unchecked = to_do > checked ? to_do - checked : 0;
    return std::clamp(time_budget.for_one(static_cast<double>(to_do), unchecked), 0.1, 20.0);
}

Outcome LiveDiffContext::unreached(const Case& c, const Entry& entry) const {
    Outcome o;
    o.the_case = c;
    o.program.name = portable_source(*c.suite, *c.variant);
    end_unreached(o, entry.info, request.what.budget_seconds);
    return o;
}

}  // namespace parallax
