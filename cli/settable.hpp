// Marks options that a project's settings file may set.
#pragma once

#include <concepts>
#include <filesystem>
#include <string>
#include <vector>

#include <boost/program_options.hpp>

namespace parallax::cli {

namespace fs = std::filesystem;
namespace po = boost::program_options;

/// Values of an option that can be given again and again.
using Words = std::vector<std::string>;

/// The allowed values of a setting; the file may be untrusted.
enum class Setting {
    plain,   ///< any value: it refers to neither code nor a file
    suite,   ///< a built-in suite: a manifest would run external kernels
    path,    ///< a file or folder below the settings file's folder
    file,    ///< only a file: generated names in a folder may be links
    report,  ///< an output file that replaces only an earlier report
};

/// Base of options that a settings file may set. Other options are accepted on the command line
/// only.
class Settable {
public:
    explicit Settable(Setting kind) : kind_(kind) {}
    virtual ~Settable() = default;
    Setting kind() const { return kind_; }

private:
    Setting kind_;
};

template <class T>
class SettableValue : public po::typed_value<T>, public Settable {
public:
    explicit SettableValue(Setting kind) : po::typed_value<T>(nullptr), Settable(kind) {
        if constexpr (std::same_as<T, Words>) this->composing();
    }
};

class SettableFlag : public po::untyped_value, public Settable {
public:
    SettableFlag() : untyped_value(true), Settable(Setting::plain) {}
};

/// Like `po::value<T>()`; list options are repeatable. The library owns it.
template <class T>
SettableValue<T>* settable(Setting kind = Setting::plain) {
    return new SettableValue<T>(kind);
}
/// An option without a value.
inline SettableFlag* settable_flag() {
    return new SettableFlag;
}
/// Like `po::bool_switch()`.
inline SettableValue<bool>* settable_switch() {
    auto* const made = settable<bool>();
    made->default_value(false)->zero_tokens();
    return made;
}

}  // namespace parallax::cli
