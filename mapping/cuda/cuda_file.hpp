// What a CUDA C++ file declares outside of functions, and what it launches.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mapping/cuda/cuda_kernels.hpp"
#include "mapping/cuda/tokens.hpp"

namespace parallax::cuda_reading {

struct TemplateParameter {
    std::string_view name;
    bool is_pack = false;
    Range value = {};  ///< its default
};

/// A function with a body. Positions are tokens of the file.
struct Function {
    std::size_t first = 0, name = 0, open = 0, close = 0, body = 0, last = 0;
    bool is_kernel = false;
    std::vector<TemplateParameter> parameters = {};  ///< of its template
    Range arguments = {};                            ///< of a specialization
    std::string scope = {};                          ///< its namespaces: `blas::`
    Range bounds = {};                               ///< of `__launch_bounds__`
};

/// A variable outside of functions.
struct Variable {
    enum class Kind { plain, constant, device, shared } kind = Kind::plain;
    std::size_t first = 0, name = 0;  ///< the type is between them
    std::vector<Range> extents = {};
    Range value = {};
    std::size_t last = 0;  ///< its `;`
};

/// A type: `struct`, `typedef`, `using`.
struct NamedType {
    enum class Kind { record, alias, use } kind = Kind::record;
    std::string_view name;
    Range range = {};  ///< all of it; the `;` not included
};

/// A function or a class of the host that is a template.
struct HostTemplate {
    Range range = {};
    std::string_view name;  ///< of a member function its class
    std::vector<TemplateParameter> parameters = {};
};

/// A file, taken apart. What is not understood is passed over.
class CudaFile {
public:
    /// @throws Refused when the text does not lex
    CudaFile(std::string_view file, std::string text);
    CudaFile(const CudaFile&) = delete;

    const Tokens& tokens() const { return tokens_; }
    const std::vector<Function>& functions() const { return functions_; }
    const std::vector<Variable>& variables() const { return variables_; }
    const std::vector<NamedType>& types() const { return types_; }
    const std::vector<CudaLaunch>& launches() const { return launches_; }
    /// The `#define`s, which only a text without a preprocessor has.
    const std::vector<std::size_t>& directives() const { return directives_; }
    /// First and last line, from 0, of each function, prototype and variable of the host that has
    /// its lines for itself.
    std::vector<std::pair<std::size_t, std::size_t>> host_lines() const;
    /// The first line, from 0, of each variable of `__constant__` or `__device__`.
    std::vector<std::size_t> device_lines() const;
    /// First and last line of a function with its template's head, from 0.
    std::pair<std::size_t, std::size_t> lines_of(const Function&) const;
    /// Of a `constexpr` or `const` whole number, or an enumerator.
    std::optional<std::int64_t> constant(std::string_view name) const;
    /// The tokens of `text`, which lives as long as the file.
    Tokens lexed(std::string text) const;
    /// `file:line: what`
    std::string complaint(std::size_t token, std::string_view what) const;

private:
    void scan();
    std::size_t declaration(std::size_t i);
    std::size_t template_head(std::size_t i);
    bool is_fixed(std::size_t first, std::size_t end) const;
    void function(Function made);
    void variables(std::size_t first, std::size_t end);
    void enumerators(std::size_t open, std::size_t close);
    void find_launches();
    std::vector<std::vector<std::string>> given_to(const HostTemplate& host, unsigned depth) const;
    std::vector<std::string> with_arguments(Range range, unsigned depth) const;
    std::size_t line_of(std::size_t token) const;
    std::array<unsigned, 3> extents_in(Range range, std::size_t before, unsigned depth) const;

    std::string file_;
    mutable std::vector<std::unique_ptr<std::string>> texts_;
    Tokens tokens_;
    std::vector<Function> functions_;
    std::vector<Variable> variables_;
    std::vector<NamedType> types_;
    std::vector<CudaLaunch> launches_;
    std::vector<std::size_t> directives_;
    std::vector<Range> host_parts_;
    std::vector<HostTemplate> host_templates_;
    std::map<std::string_view, std::int64_t> constants_;
    std::vector<TemplateParameter> templates_;  // of the declaration that follows
    bool is_template_ = false;
    std::size_t template_first_ = 0;  // its word `template`
    std::vector<std::pair<std::size_t, std::string>> scopes_;  // the ends of namespaces
};

}  // namespace parallax::cuda_reading
