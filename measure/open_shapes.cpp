// Chooses a shape that suits all entries of a physical device.
#include "measure/open_shapes.hpp"

#include <algorithm>

#include "measure/sizing.hpp"

namespace parallax {
namespace {

/// Largest share of a case's time for one run: verification and all batches of all rounds must fit.
constexpr double share_of_a_run = 1.0 / 800;

}  // namespace

Case OpenShapes::sized(const Case& c, const DeviceSession& device_session, double cases_in_a_row) {
    if (!c.shape.extents.empty()) return c;
    if (request_.points.empty()) return with_shape(c, telling(c, device_session, cases_in_a_row));
    const std::vector<Shape>& shapes = shapes_of(*c.suite, *c.variant);
    const auto [known, is_new] = of_points_.try_emplace({device_session.entry.physical, &shapes});
    if (is_new) {
        std::size_t smallest = shapes.size() - 1;
        for (const Case& point : cases_) {
            if (!point.shape.extents.empty()) continue;
            if (&shapes_of(*point.suite, *point.variant) != &shapes) continue;
            const auto at =
                std::ranges::find(shapes, telling(point, device_session, cases_in_a_row)) -
                shapes.begin();
            smallest = std::min(smallest, static_cast<std::size_t>(at));
        }
        known->second = shapes[smallest];
    }
    return with_shape(c, known->second);
}

Shape OpenShapes::telling(const Case& c, const DeviceSession& device_session,
                          double cases_in_a_row) const {
    std::vector<Sized> devices;
    for (const DeviceSession* other : device_sessions_) {
        if (other->entry.physical != device_session.entry.physical) continue;
        devices.push_back({&other->entry.info, other->ceiling_of(c)});
    }
    return choose_shape(c, devices, share_of_a_run * request_.budget_seconds / cases_in_a_row);
}

}  // namespace parallax
