// Writes a CUDA kernel, with the functions that it calls, as OpenCL C that can be read.
#pragma once

#include <deque>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/cuda/cuda_file.hpp"
#include "mapping/cuda/types.hpp"

namespace parallax::cuda_reading {

/// A parameter as declared.
struct DeclaredParameter {
    std::string name;
    TypeName type;
    unsigned pointers = 0;
    bool is_reference = false;
    std::string extents = {};  ///< of what an array of arrays has behind its first: `[16]`
    bool is_image = false, is_surface = false;

    /// As CUDA spells the type, without its last star.
    std::string type_text() const;
};

using TemplateArguments = std::map<std::string_view, std::string>;

/// A function with its template's arguments put in. Positions are tokens of its own.
struct Instance {
    Tokens tokens;
    std::size_t name = 0, open = 0, close = 0, body = 0;
    std::vector<DeclaredParameter> parameters;
};

/// The reading form of one kernel.
class ReadingForm {
public:
    explicit ReadingForm(const CudaFile& file);

    void write(const Function& kernel, const TemplateArguments& arguments);

    /// With the body, or, where that cannot be read, without.
    std::string text(bool with_body) const;
    const std::vector<DeclaredParameter>& parameters() const { return parameters_; }
    std::vector<CudaVariable> shared() const;
    std::vector<CudaVariable> symbols() const;
    const std::vector<CudaImage>& images() const { return images_; }
    bool waits_for_grid = false;  ///< whether its work-groups wait for each other

private:
    friend class FunctionText;

    Instance instance(const Function& function, const TemplateArguments& arguments) const;
    std::vector<DeclaredParameter> parameters_in(const Tokens& tokens, Range list) const;
    void find_memory();
    /// What a function, or one that it calls, uses beside its parameters.
    const std::set<std::string_view>& memory_of(std::string_view function) const;
    std::string kernel_parameter(const DeclaredParameter& one) const;
    std::string memory_parameter(std::string_view name) const;
    CudaVariable variable(const Variable& variable, const Tokens& tokens) const;
    std::string types_and_constants();
    std::string record(const NamedType& type);
    std::string helper(const Function& function, const TemplateArguments& arguments,
                       const std::string& name);
    void add_words(const Tokens& tokens);
    void note_image(std::string_view name, const std::string& element);

    const CudaFile& file_;
    std::multimap<std::string_view, const Function*> helpers_;
    std::map<std::string_view, const Variable*> memory_;  ///< symbols without a value, and shared
    std::deque<Variable> own_shared_;                     ///< that functions declare
    std::map<std::string_view, std::set<std::string_view>> uses_;
    std::vector<DeclaredParameter> parameters_;
    std::vector<CudaImage> images_;
    std::set<std::string_view> used_, words_;
    std::vector<std::string_view> shared_, symbols_;
    std::deque<Tokens> kept_;
    std::map<std::string, std::string> written_;  ///< helpers, by their names in the form
    std::string head_, types_, helpers_text_, body_;
    unsigned depth_ = 0;
};

}  // namespace parallax::cuda_reading
