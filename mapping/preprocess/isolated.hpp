// Processes an untrusted source in a process of its own, which may crash or hang.
#pragma once

#include <functional>
#include <string>

namespace parallax {

/// Does `work` in a child of this process, and returns its text. The child is killed after 20
/// seconds of a processor's time, and when this process ends.
/// @throws Refused with the message of what `work` throws; Refused with `gave_up` when it runs out
/// of time, memory or stack; Error when there can be no child.
std::string isolated(const std::function<std::string()>& work, const std::string& gave_up);

}  // namespace parallax
