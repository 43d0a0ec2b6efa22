// Both sides of a live diff.
#include "studies/diff/live_bench.hpp"

#include <algorithm>

#include "measure/turns.hpp"

namespace parallax {

LiveBench::LiveBench(const LiveRequest& asked, const RunContext& context, const RunInfo& info,
                     const LiveListener& to)
    : request(asked),
      run(info),
      listener(to),
      cases(by_worth(expand(asked.what))),
      pace(asked.what.budget_seconds),
      a(asked.a, setup),
      b(asked.b, setup),
      a_again(asked.a, setup),
      b_again(asked.b, setup),
      setup(context, {asked.a, asked.b}) {
    setup.context.only_checks = untimed() != nullptr;
    setup.context.has_time = [this] { return pace.left() > 0; };
    if (to.trouble) setup.context.locks.tell = to.trouble;
}

void LiveBench::lock_devices() {
    if (device_locks.empty())
        device_locks = parallax::lock_devices({a.entry.info, b.entry.info}, setup.context.locks);
}

const Entry* LiveBench::untimed() const {
    for (const Seat* seat : {&a, &b}) {
        if (seat->entry.info.only_checks) return &seat->entry;
    }
    return nullptr;
}

bool LiveBench::has_other_buffers(const Case& c) const {
    if (!request.what.tuned || c.shape.extents.empty()) return false;
    const auto shared = [&](const Entry& entry) {
        std::vector<BufferSpec> buffers = plan_of(request.what.tuned(c, entry.info)).buffers;
        std::erase_if(buffers, [](const BufferSpec& one) { return one.role == Role::scratch; });
        return buffers;
    };
    return shared(a.entry) != shared(b.entry);
}

Case LiveBench::on(bool is_b, const Case& c) const {
    if (!request.what.tuned || c.shape.extents.empty() || has_other_buffers(c)) return c;
    return request.what.tuned(c, (is_b ? b : a).entry.info);
}

void LiveBench::tell(const std::string& what) {
    progress.what = what;
    progress.elapsed_seconds = pace.elapsed();
    progress.left_seconds = std::max(0.0, request.what.budget_seconds - progress.elapsed_seconds);
    if (listener.progress) listener.progress(progress);
}

void LiveBench::keep(const Outcome& outcome, const Entry& entry, char side) {
    Record record = to_record(outcome, entry.info, run);
    record.side = side;
    listener.keep(std::move(record));
}

const Record* LiveBench::earlier(const Case& c) const {
    return setup.context.earlier.record(b.entry.info.id(), on(true, c), 'b');
}

double LiveBench::time_for_one(std::size_t checked) const {
    const std::size_t to_do = progress.total - progress.done;
    const std::size_t unchecked = to_do > checked ? to_do - checked : 0;
    return std::clamp(pace.for_one(static_cast<double>(to_do), unchecked), 0.1, 20.0);
}

Outcome LiveBench::unreached(const Case& c, const Entry& entry) const {
    Outcome o;
    o.the_case = c;
    o.program.name = portable_source(*c.suite, *c.variant);
    end_unreached(o, entry.info, request.what.budget_seconds);
    return o;
}

}  // namespace parallax
