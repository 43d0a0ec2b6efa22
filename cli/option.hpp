// What a project's settings file may say of an option: the option's declaration says it.
#pragma once

#include <concepts>
#include <string>
#include <vector>

#include <boost/program_options.hpp>

namespace parallax::cli {

/// What a value from a settings file must be; the file may be a stranger's.
enum class Setting {
    plain,  ///< anything: it names neither code nor a file
    suite,  ///< a suite of the program's own: a manifest names a stranger's kernels
    path,   ///< a file or folder below the settings file's folder
    file,   ///< the same, and no folder: names that are made up in a folder may be links there
};

/// A settings file may set an option that is declared with one of these. An option that is declared
/// otherwise is taken from the command line alone.
class Settable {
public:
    explicit Settable(Setting kind) : kind_(kind) {}
    virtual ~Settable() = default;
    Setting kind() const { return kind_; }

private:
    Setting kind_;
};

template <class T>
class SettableValue : public boost::program_options::typed_value<T>, public Settable {
public:
    explicit SettableValue(Setting kind)
        : boost::program_options::typed_value<T>(nullptr), Settable(kind) {
        if constexpr (std::same_as<T, std::vector<std::string>>) this->composing();
    }
};

class SettableFlag : public boost::program_options::untyped_value, public Settable {
public:
    SettableFlag() : untyped_value(true), Settable(Setting::plain) {}
};

/// As `po::value<T>()`; a list can be given again and again. The library owns it.
template <class T>
SettableValue<T>* settable(Setting kind = Setting::plain) {
    return new SettableValue<T>(kind);
}
/// An option without a value.
inline SettableFlag* settable_flag() {
    return new SettableFlag;
}
/// As `po::bool_switch()`.
inline SettableValue<bool>* settable_switch() {
    auto* const made = settable<bool>();
    made->default_value(false)->zero_tokens();
    return made;
}

}  // namespace parallax::cli
