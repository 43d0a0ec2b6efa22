// Finds planted errors, and builds their cases and programs.
#include "suites/planted.hpp"

#include <algorithm>
#include <utility>

#include "common/suite/suite.hpp"

namespace parallax {
const std::vector<Planted>& planted_errors() {
    static const std::vector<Planted> list = [] {
        std::vector<Planted> all;
        for (std::size_t i = 0; i < suites().size(); ++i) {
            for (Planted one : planted_by_suite().at(i).errors) {
                one.suite = suites()[i].name;
                all.push_back(std::move(one));
            }
        }
        return all;
    }();
    return list;
}

Case case_of(const Planted& planted) {
    const Suite& suite = suite_named(planted.suite);
    const Variant& variant = variant_named(suite, planted.variant);
    return make_case(suite, variant,
                     planted.shape.extents.empty() ? suite.check_shapes.back() : planted.shape,
                     planted.type.value_or(default_type(suite, variant)), planted.constants);
}

Program program_of(const Case& c, std::string_view backend) {
    RunConfig context;
    context.kernel_source = [](std::string_view file) { return kernel_source(file); };
    return program_of(c, context, backend);
}

Program program_with(const Planted& planted, const Case& c) {
    Program program = program_of(c);
    program.edits = planted.changes;
    for (SourceEdit& edit : program.edits) edit.name = planted.name;
    return program;
}

Case small_case(const Suite& suite, const Variant& variant, std::optional<ElementType> type,
                const Shape& shape, const std::vector<Constant>& constants) {
    const PlantedErrors& small =
        planted_by_suite().at(static_cast<std::size_t>(&suite - suites().data()));
    std::vector<Constant> all = small.small_constants;
    std::erase_if(all, [&](const Constant& one) {
        return std::ranges::find(constants, one.name, &Constant::name) != constants.end();
    });
    all.insert(all.end(), constants.begin(), constants.end());
    return make_case(suite, variant, shape.extents.empty() ? small.small_shape : shape,
                     type.value_or(default_type(suite, variant)), all);
}

Case small_case(const Planted& planted) {
    const Suite& suite = suite_named(planted.suite);
    return small_case(suite, variant_named(suite, planted.variant), planted.type,
                      planted.oclgrind_shape, planted.constants);
}

}  // namespace parallax
