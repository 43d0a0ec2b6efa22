from spack.package import *


class Tomlplusplus(MesonPackage):
    """A reader of TOML."""

    homepage = "https://github.com/marzer/tomlplusplus"
    git = "https://github.com/marzer/tomlplusplus.git"
    license("MIT")
    version("3.4.0", tag="v3.4.0")
    depends_on("cxx", type="build")
