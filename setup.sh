#!/usr/bin/env bash
# Brings what the build needs, configures the folder `build` and builds the program in it.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
build=$root/build
fetched=$build/cuda/nvidia/cu13 # where the CUDA packages lie when we had to bring them

usage() {
    cat <<'END'
usage: ./setup.sh [--without-cuda] [-- MESON_OPTION...]

Installs by apt what is missing, finds the CUDA toolkit (CUDA_PATH, then /usr/local/cuda) or
downloads NVRTC, the CUDA runtime and their headers into build/cuda, configures build/ and builds the program.
`meson test -C build` builds the tests that it runs.
No GPU and no driver are needed for any of it. Run it again at any time: what is there stays.

  --without-cuda   build without the CUDA backend, and download nothing for it
  -h, --help       this text
  -- OPTION...     the rest goes to `meson setup`, for example: -- -Dbuildtype=debug
                   (Meson remembers it until it is given anew or build/ is removed)
END
}

say() { printf 'setup: %s\n' "$*"; }
warn() { printf 'setup: warning: %s\n' "$*" >&2; }
die() {
    printf 'setup: error: %s\n' "$1" >&2
    shift
    if (($#)); then printf '       %s\n' "$@" >&2; fi
    exit 1
}

want_cuda=yes
meson_options=()
while (($#)); do
    case $1 in
        --without-cuda) want_cuda=no ;;
        -h | --help)
            usage
            exit 0
            ;;
        --)
            shift
            meson_options=("$@")
            break
            ;;
        *)
            printf 'setup: unknown option: %s (--help lists them)\n' "$1" >&2
            exit 2
            ;;
    esac
    shift
done

root_option=toolkit_root # meson_options.txt's name for the toolkit's folder

# A CI takes no warning.
if [[ ${CI:-} == true ]]; then meson_options=(-Dwerror=true "${meson_options[@]}"); fi

# Whoever names a toolkit to Meson, or declines CUDA there, is taken at their word.
cuda_by_hand=no
for option in "${meson_options[@]}"; do
    case $option in
        -Dcuda=disabled | "-D$root_option="* | cuda=disabled | "$root_option="*) cuda_by_hand=yes ;;
    esac
done

# ---- the CUDA toolkit -------------------------------------------------------------------------

# What FOLDER lacks to be a toolkit that serves; nothing when it is one.
toolkit_lacks() {
    local file version libraries=("$1"/lib64 "$1"/lib "$1"/targets/x86_64-linux/lib)
    for file in include/cuda_runtime_api.h include/nvrtc.h; do
        [[ -e $1/$file ]] || echo "$file"
    done
    for file in libcudart_static.a 'libnvrtc.so*'; do
        [[ -n $(find -L "${libraries[@]}" -maxdepth 1 -name "$file" -print -quit 2>/dev/null) ]] ||
            echo "$file"
    done
    # cudaLibraryLoadData came with 12.8
    version=$(sed -n 's/^#define CUDART_VERSION *\([0-9]*\).*/\1/p' \
        "$1/include/cuda_runtime_api.h" 2>/dev/null) || true
    if [[ -n $version ]] && ((version < 12080)); then echo "version 12.8 or newer"; fi
}

# Sets toolkit_root to an installed toolkit, or to nothing.
find_toolkit() {
    local folder lacks
    toolkit_root=
    for folder in "${CUDA_PATH:-}" /usr/local/cuda; do
        [[ -n $folder ]] || continue
        lacks=$(toolkit_lacks "$folder" | paste -sd ' ')
        if [[ -z $lacks ]]; then
            toolkit_root=$folder
            return
        elif [[ -e $folder || $folder == "${CUDA_PATH:-}" ]]; then
            warn "$folder is no CUDA toolkit that serves: it lacks: $lacks"
        fi
    done
}

# NVIDIA's own packages, exactly these: another file under the same name is refused. The compiler's
# headers (crt) are there because cuda_runtime_api.h includes them; CCCL has those of C++'s library,
# as <cstdint>, which NVRTC lacks.
wanted_wheels() {
    cat <<'END'
nvidia-cuda-nvrtc==13.0.88 \
    --hash=sha256:ad9b6d2ead2435f11cbb6868809d2adeeee302e9bb94bcf0539c7a40d80e8575 \
    --hash=sha256:d27f20a0ca67a4bb34268a5e951033496c5b74870b868bacd046b1b8e0c3267b
nvidia-cuda-runtime==13.0.96 \
    --hash=sha256:7f82250d7782aa23b6cfe765ecc7db554bd3c2870c43f3d1821f1d18aebf0548 \
    --hash=sha256:ef9bcbe90493a2b9d810e43d249adb3d02e98dd30200d86607d8d02687c43f55
nvidia-cuda-crt==13.0.88 \
    --hash=sha256:2c8043c7c9e02492716426e9919fc78d2c5b3b2a7a768a88e952676b08aa55a4 \
    --hash=sha256:ee2ea2a97073e02ee62bb27841f437332be2c248e3eac013df07997ada39c003
nvidia-cuda-cccl==13.0.85 \
    --hash=sha256:6f0203e29fed809ee2b7fe9b1344df66ecab990c37d6a2e0e189b26d6c97ed7c \
    --hash=sha256:e0da7ad981f3a8aff08241b5bfc1af868742a63e2762f53a5171c492ef242649
END
}

already_fetched() {
    [[ -z $(toolkit_lacks "$fetched") ]] &&
        wanted_wheels | cmp -s - "$fetched/wanted-wheels.txt"
}

# A Python that has pip: the first on the path may lack it where the system's has it.
python_with_pip() {
    local candidate
    for candidate in python3 /usr/bin/python3; do
        if "$candidate" -m pip --version >/dev/null 2>&1; then
            echo "$candidate"
            return
        fi
    done
    return 1
}

fetch_toolkit() {
    local python work wheel library
    local again=(
        "Run ./setup.sh again when the network is there,"
        "or install the CUDA toolkit and set CUDA_PATH to its folder,"
        "or run ./setup.sh --without-cuda."
    )
    python=$(python_with_pip) || die "pip is needed to bring NVRTC and is not here" \
        "Install python3-pip (Debian's name) and run ./setup.sh again," "${again[@]:1}"

    say "no CUDA toolkit here: downloading NVRTC and the CUDA runtime (95 MB, NVIDIA's packages" \
        "under NVIDIA's licence) into build/cuda"
    # Everything happens in a folder of our own that is moved into place when it is complete, so
    # nothing half-made is ever taken for a toolkit. What an interrupted run left is removed.
    rm -rf "$build"/cuda
    mkdir -p "$build"/cuda
    work=$(mktemp -d "$build/cuda/fetch.XXXXXX")
    # shellcheck disable=SC2064 # the value of now
    trap "rm -rf '$work'" EXIT
    mkdir "$work/wheels" "$work/tmp" "$work/tree"
    wanted_wheels >"$work/wanted-wheels.txt"
    TMPDIR=$work/tmp "$python" -m pip download --quiet --disable-pip-version-check --no-input \
        --no-cache-dir --progress-bar off --retries 5 --no-deps --only-binary=:all: \
        --require-hashes -r "$work/wanted-wheels.txt" -d "$work/wheels" ||
        die "NVRTC and the CUDA runtime could not be downloaded (pip's reason is above)" \
            "${again[@]}"
    for wheel in "$work"/wheels/*.whl; do
        "$python" -m zipfile -e "$wheel" "$work/tree" ||
            die "$(basename "$wheel") could not be unpacked: is the disk full?" "${again[@]}"
    done
    local made=$work/tree/nvidia/cu13
    local lacks
    lacks=$(toolkit_lacks "$made" | paste -sd ' ')
    [[ -z $lacks ]] || die "the packages downloaded lack $lacks" "${again[@]:1}"
    # The names that a linker looks for.
    for library in "$made"/lib/lib{nvrtc,cudart}.so.*; do
        ln -s "$(basename "$library")" "${library%.so.*}.so"
    done
    ln -s lib "$made/lib64"
    cp "$work/wanted-wheels.txt" "$made/"
    mv "$work/tree/nvidia" "$build/cuda/nvidia"
    rm -rf "$work"
    trap - EXIT
}

# The packages of `parallax mcp` for the Python that runs it, into build/mcp: its test looks there. Without them the
# program lacks one command, which says so.
fetch_mcp() {
    local python target=$build/mcp wanted=('mcp>=2,<3') stamp
    python3 -c 'import numpy' 2>/dev/null || wanted+=(numpy)
    stamp="${wanted[*]} for $(python3 -V)"
    [[ $(cat "$target/wanted.txt" 2>/dev/null) != "$stamp" ]] || return 0
    rm -rf "$target" "$target.new"
    if ! python=$(python_with_pip) ||
        ! "$python" -m pip --python "$(command -v python3)" install --quiet --disable-pip-version-check \
            --no-input --no-cache-dir --progress-bar off --no-compile --only-binary=:all: \
            --root-user-action ignore --target "$target.new" "${wanted[@]}"; then
        warn "the packages of 'parallax mcp' could not be brought: its test will be skipped"
        rm -rf "$target.new"
        return 0
    fi
    printf '%s\n' "$stamp" >"$target.new/wanted.txt"
    mv "$target.new" "$target"
}

# ---- what comes from the distribution ---------------------------------------------------------

# pocl-opencl-icd brings clang, which reads CUDA C++, too.
packages=(
    g++ meson ninja-build pkg-config python3
    libboost-context-dev libboost-program-options-dev libboost-wave-dev libboost-thread-dev libboost-filesystem-dev
    libdtl-dev libfmt-dev libmd4c-dev libmd4c-html0-dev libmuparser-dev libtomlplusplus-dev libxxhash-dev libyaml-cpp-dev libzstd-dev
    nlohmann-json3-dev
    libgtest-dev libgmock-dev
    opencl-headers opencl-clhpp-headers ocl-icd-opencl-dev pocl-opencl-icd oclgrind
    libjs-chart.js libjs-highlight.js
    python3-numpy python3-pytest
)
packages_installed=no # by this run

# The tools without which nothing can be tried, by the package that has each.
missing_tools() {
    if [[ -z ${CXX:-} ]] && ! command -v c++ g++ clang++ >/dev/null; then echo g++; fi
    command -v meson >/dev/null || echo meson
    command -v ninja >/dev/null || echo ninja-build
    command -v pkg-config pkgconf >/dev/null || echo pkg-config
    command -v python3 >/dev/null || echo python3
}

# Goes on with a warning where the tools are there: Meson then says which library it misses.
do_without() {
    local tools
    tools=$(missing_tools | paste -sd ' ')
    if [[ -n $tools ]]; then
        die "$1" "${@:2}" "Without $tools nothing can be built: stopping here."
    fi
    warn "$1"
    printf '       %s\n' "${@:2}" "Going on with what is here." >&2
}

missing_packages() {
    local package status
    for package in "${packages[@]}"; do
        status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) || true
        [[ $status == installed ]] || echo "$package"
    done
}

install_packages() {
    local missing offered unknown=() known=() package as_root=()
    if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
        if [[ -n $(missing_tools) || ! -e $build/build.ninja ]]; then
            do_without "this system has no apt: nothing is installed for you" \
                "What is needed, by Debian's names: ${packages[*]}"
        fi
        return
    fi
    mapfile -t missing < <(missing_packages)
    ((${#missing[@]})) || return 0

    if ((EUID != 0)); then
        # A password can be asked for only where somebody sits.
        if command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [[ -t 0 ]]; }; then
            as_root=(sudo)
        else
            do_without "packages are missing, and this is neither root nor is there a sudo to use" \
                "As root: apt-get install --no-install-recommends ${missing[*]}"
            return
        fi
    fi
    as_root+=(env DEBIAN_FRONTEND=noninteractive apt-get -q
        -o Acquire::Retries=3 -o DPkg::Lock::Timeout=300)

    say "installing by apt: ${missing[*]}"
    "${as_root[@]}" -o APT::Update::Error-Mode=any update ||
        warn "some package lists could not be fetched (apt's reason is above)"
    # One name that apt does not know would keep it from installing all the others.
    offered=$(apt-cache show --no-all-versions "${missing[@]}" 2>/dev/null |
        sed -n 's/^Package: //p') || true
    for package in "${missing[@]}"; do
        if grep -qxF -- "$package" <<<"$offered"; then
            known+=("$package")
        else
            unknown+=("$package")
        fi
    done
    if ((${#known[@]})); then
        if "${as_root[@]}" install -y --no-install-recommends "${known[@]}"; then
            packages_installed=yes
        else
            do_without "apt could not install: ${known[*]}" \
                "Its reason is above. No network? Then run ./setup.sh again when there is one."
            return
        fi
    fi
    if ((${#unknown[@]})); then
        do_without "apt knows no package of the name: ${unknown[*]}" \
            "No network when the lists were fetched, or a distribution other than Debian 12?" \
            "Install their like by hand and run ./setup.sh again."
    fi
}

# ---- the build folder -------------------------------------------------------------------------

# Whether Meson can go on in the build folder: made by this Meson, for this very checkout. A copied
# checkout brings a folder along that would go on building the original.
usable_build() {
    [[ -e $build/meson-private/coredata.dat ]] || return 1
    meson configure "$build" </dev/null >/dev/null 2>&1 || return 1
    python3 - "$build" "$root" <<'END' 2>/dev/null
import json, os, sys
build, root = sys.argv[1:]
with open(os.path.join(build, "meson-info", "meson-info.json")) as file:
    told = json.load(file)["directories"]
sys.exit(not (os.path.realpath(told["source"]) == root and os.path.realpath(told["build"]) == build))
END
}

configure() {
    local options=() stamp=$build/setup-options.txt
    case $want_cuda,$cuda_by_hand in
        no,*) options+=(-Dcuda=disabled) ;;
        yes,yes) ;;
        *) options+=(-Dcuda=enabled "-D$root_option=$toolkit_root") ;;
    esac
    options+=("${meson_options[@]}")

    mkdir -p "$build"
    if usable_build; then
        if [[ $packages_installed == no && -e $build/build.ninja ]] &&
            printf '%s\n' "${options[@]}" | cmp -s - "$stamp"; then
            return
        fi
        say "configuring build/ anew"
        rm -f "$stamp"
        set -- --reconfigure
    else
        if [[ -n $(find "$build" -mindepth 1 -maxdepth 1 ! -name cuda ! -name mcp -print -quit) ]]; then
            say "build/ is unfinished, or of another checkout or another Meson: starting it afresh"
            find "$build" -mindepth 1 -maxdepth 1 ! -name cuda ! -name mcp -exec rm -rf {} +
        fi
        say "configuring build/"
        set --
    fi
    (cd "$root" && meson setup "$@" build "${options[@]}") ||
        die "Meson could not configure the build (its reason is above)" \
            "The whole story: build/meson-logs/meson-log.txt" \
            "If something is missing, install it and run ./setup.sh again."
    printf '%s\n' "${options[@]}" >"$stamp"
}

# ---- in order ---------------------------------------------------------------------------------

if [[ -e $build && ! (-d $build && -w $build) ]] || [[ ! -e $build && ! -w $root ]]; then
    die "$build cannot be written" "Is it somebody else's? Remove it, or run as its owner."
fi

# pip is worth installing only where it has something to do
python_with_pip >/dev/null || packages+=(python3-pip)

toolkit_root=
must_fetch=no
if [[ $want_cuda == yes && $cuda_by_hand == no ]]; then
    find_toolkit
    if [[ -z $toolkit_root ]]; then
        toolkit_root=$fetched
        if ! already_fetched; then
            must_fetch=yes
        fi
    fi
fi

install_packages
if [[ $must_fetch == yes ]]; then fetch_toolkit; fi
case $want_cuda,$cuda_by_hand in
    no,*) say "without CUDA, as asked" ;;
    yes,no) say "CUDA: $toolkit_root" ;;
esac
configure
fetch_mcp & # waits for the network, and the compiler does not
say "building"
ninja -C "$build" -j "$(nproc 2>/dev/null || echo 2)" parallax ||
    die "the build failed (the compiler's reason is above)" \
        "Killed for memory? Then: ninja -C build -j 1 parallax"
wait
say "done. Next: meson test -C build"
