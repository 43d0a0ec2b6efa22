// Changes of a manifest that may let its checks see more: other sizes and inputs.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace parallax {

/// One change of a manifest.
struct ManifestEdit {
    std::string line;      ///< JSON to write, as in `"checked": [[1], [1000], [257]]`
    std::string path;      ///< of the object that gets it, as in `$.sizes`
    std::string manifest;  ///< the whole manifest with it; of checked sizes it has the new one only
    /// Whether the answers to it are exact: a kernel that is wrong with it has an error, unless it
    /// is not meant for such data.
    bool is_exact = false;
};

/// By buffer, the filling that suits the kernel's body, as JSON.
using WideFills = std::map<std::string, std::string>;

/// Changes to try, in a fixed order: a narrower tolerance; a size that is no multiple of the
/// work-group size, or of one or several work-groups; random numbers in place of fixed ones, of
/// both signs, of a wide range, all different, or with special values; rows of any length; another
/// number by value; fewer and more work-groups; and all new inputs together. A kernel may need what
/// they change: each must be tried on the unchanged kernel. None for a file that is no manifest.
std::vector<ManifestEdit> trial_edits(std::string_view manifest, const WideFills& = {});

}  // namespace parallax
