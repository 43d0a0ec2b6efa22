// Changes of a manifest that may let its checks see more: other sizes and inputs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace parallax {

/// One change of a manifest.
struct ManifestEdit {
    std::string line;      ///< what to write, as in `"checked": [[1], [1000], [257]]`
    std::string path;      ///< of the object that gets it, as in `$.sizes`
    std::string manifest;  ///< the whole manifest with it; of checked sizes it has the new one only
};

/// Changes to try, in a fixed order: a size that is not divided by groups, or of one or several of
/// them; numbers drawn in place of fixed ones, of both signs, of a wide range or all different;
/// another number by value; a narrower tolerance; and all new inputs together. A kernel may need
/// what they change: each must be tried on the kernel as it is. None for what is no manifest.
std::vector<ManifestEdit> trial_edits(std::string_view manifest);

}  // namespace parallax
