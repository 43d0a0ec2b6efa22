from spack.package import *

try:  # since Spack 1.0
    from spack_repo.builtin.build_systems.meson import MesonPackage
except ImportError:
    pass  # before it came with spack.package


class Tomlplusplus(MesonPackage):
    """A reader of TOML."""

    homepage = "https://github.com/marzer/tomlplusplus"
    git = "https://github.com/marzer/tomlplusplus.git"
    license("MIT")
    version("3.4.0", tag="v3.4.0")
    depends_on("cxx", type="build")
