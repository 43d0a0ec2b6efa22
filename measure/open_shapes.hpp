// Chooses shapes that a request leaves open, per physical device.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "measure/device_session.hpp"
#include "measure/session.hpp"

namespace parallax {

/// Chooses shapes once the ceilings are known. All arguments must outlive it.
class OpenShapes {
public:
    OpenShapes(const Request& request, const std::vector<Case>& cases,
               const std::vector<DeviceSession*>& device_sessions)
        : request_(request), cases_(cases), device_sessions_(device_sessions) {}

    /// The case with its own shape, or one that suits the session's physical device: both sides of
    /// a comparison run the same shape. Requested points with the same choice of shapes get the
    /// smallest shape that suits one of them.
    /// @param cases_in_a_row  number of successive cases that share the budget
    Case sized(const Case&, const DeviceSession&, double cases_in_a_row);

private:
    Shape telling(const Case&, const DeviceSession&, double cases_in_a_row) const;

    const Request& request_;
    const std::vector<Case>& cases_;
    const std::vector<DeviceSession*>& device_sessions_;
    /// The shape of points for each physical device and list of shapes.
    std::map<std::pair<unsigned, const std::vector<Shape>*>, Shape> of_points_;
};

}  // namespace parallax
