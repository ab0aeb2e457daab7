#!/bin/sh
# Makes this machine ready and .venv complete: looks at each need by itself, and installs what is
# missing. Where nothing is, it touches neither the system nor the network.
set -eu
cd "$(dirname "$0")"
: "${PYTHON:=python3}" "${OS_RELEASE:=/etc/os-release}"
py=${PYTHON##*/}

say() { printf 'byhand: %s\n' "$*"; }
refuse() { say "$*" >&2; exit 1; }

# One need a line, and the package that meets it on each kind of system; "-" where there is none
# to install. glib, fontconfig's library and freetype, which Qt wants too, come with pango.
needs() { cat <<END
need                      apt                  dnf                               pacman            zypper                            brew
python                    $py                  $py                               python            $py                               python
venv                      $py-venv             $py-libs                          python            $py                               python
Python.h                  $py-dev              $py-devel                         python            $py-devel                         python
compiler                  gcc,libc6-dev        gcc                               gcc               gcc                               -
pkg-config                pkg-config           pkgconf-pkg-config                pkgconf           pkg-config                        pkgconf
pkg:cairo                 libcairo2-dev        cairo-devel                       cairo             cairo-devel                       cairo
pkg:pangocairo            libpango1.0-dev      pango-devel                       pango             pango-devel                       pango
lib:libGL.so.1            libgl1               libglvnd-glx                      libglvnd          Mesa-libGL1                       -
lib:libEGL.so.1           libegl1              libglvnd-egl                      libglvnd          Mesa-libEGL1                      -
lib:libdbus-1.so.3        libdbus-1-3          dbus-libs                         dbus              libdbus-1-3                       -
lib:libxkbcommon.so.0     libxkbcommon0        libxkbcommon                      libxkbcommon      libxkbcommon0                     -
lib:libxkbcommon-x11.so.0 libxkbcommon-x11-0   libxkbcommon-x11                  libxkbcommon-x11  libxkbcommon-x11-0                -
lib:libxcb-cursor.so.0    libxcb-cursor0       xcb-util-cursor                   xcb-util-cursor   libxcb-cursor0                    -
lib:libxcb-icccm.so.4     libxcb-icccm4        xcb-util-wm                       xcb-util-wm       libxcb-icccm4                     -
lib:libxcb-keysyms.so.1   libxcb-keysyms1      xcb-util-keysyms                  xcb-util-keysyms  libxcb-keysyms1                   -
lib:libxcb-shape.so.0     libxcb-shape0        libxcb                            libxcb            libxcb-shape0                     -
Xvfb                      xvfb                 xorg-x11-server-Xvfb              xorg-server-xvfb  xorg-x11-server-Xvfb              -
fc-list                   fontconfig           fontconfig                        fontconfig        fontconfig                        -
font:family=DejaVuSans    fonts-dejavu-core    dejavu-sans-fonts                 ttf-dejavu        dejavu-fonts                      -
font:charset=5d0          fonts-noto-core      google-noto-sans-hebrew-fonts     noto-fonts        google-noto-sans-hebrew-fonts     -
font:charset=627          fonts-noto-core      google-noto-sans-arabic-fonts     noto-fonts        google-noto-sans-arabic-fonts     -
font:charset=915          fonts-noto-core      google-noto-sans-devanagari-fonts noto-fonts        google-noto-sans-devanagari-fonts -
font:charset=732b         fonts-droid-fallback google-noto-sans-cjk-fonts        noto-fonts-cjk    google-noto-sans-cjk-fonts        -
font:charset=d55c        fonts-nanum          google-noto-sans-cjk-fonts        noto-fonts-cjk    google-noto-sans-cjk-fonts        -
font:charset=1f389        fonts-symbola        gdouros-symbola-fonts             -                 gdouros-symbola-fonts             -
END
}

# A script is asked for by one letter's code point. A colour font doesn't count: it has no outlines to
# draw with.
have() {
    case $1 in
        python) "$PYTHON" -V ;;
        venv) "$PYTHON" -c 'import ensurepip, venv' ;;
        Python.h) test -f "$("$PYTHON" -c 'import sysconfig; print(sysconfig.get_path("include"))')/$1" ;;
        compiler) echo '#include <stdio.h>' | cc -x c -fsyntax-only - ;;
        pkg:*) pkg-config --exists "${1#pkg:}" ;;
        lib:*) PATH=$PATH:/usr/sbin:/sbin ldconfig -p | grep -F "${1#lib:} " ;;
        font:*) fc-list ":color=false:${1#font:}" | grep . ;;
        *) command -v "$1" ;;
    esac >/dev/null 2>&1
}

# Prints column $1 of every line whose need isn't met.
missing() {
    needs | tail -n +2 | while read -r need apt dnf pacman zypper brew; do
        eval "package=\$$system"
        [ "$package" = - ] || have "$need" || eval "echo \"\$$1\""
    done | tr ',' '\n' | sort -u | paste -s -d ' ' -
}

refuse_old_python() {
    have python || return 0
    version=$("$PYTHON" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    case $version in
        [0-2].* | 3.? | 3.10)
            refuse "Python 3.11 or newer is needed and $PYTHON is $version; name another: make PYTHON=python3.11 …" ;;
    esac
}

which_system() {
    if [ "$(uname -s)" = Darwin ]; then echo brew; return; fi
    case " $(. "$OS_RELEASE" 2>/dev/null && echo "${ID:-} ${ID_LIKE:-}") " in
        *" debian "* | *" ubuntu "*) echo apt ;;
        *" fedora "* | *" rhel "*) echo dnf ;;
        *" arch "*) echo pacman ;;
        *suse*) echo zypper ;;
        *) echo need ;;
    esac
}

install_packages() {
    case $system in
        apt) ;;
        dnf) refuse "first run: sudo dnf install $*" ;;
        pacman) refuse "first run: sudo pacman -S --needed $*" ;;
        zypper) refuse "first run: sudo zypper install $*" ;;
        brew) command -v brew >/dev/null || refuse "first install Homebrew (brew.sh), then run: brew install $*"
              refuse "first run: brew install $*" ;;
        *) refuse "this system isn't known here; what is missing: $*" ;;
    esac
    as_root=
    if [ "$(id -u)" != 0 ]; then
        as_root=sudo
        command -v sudo >/dev/null || refuse "first run as root: apt-get install --no-install-recommends $*"
    fi
    say "installing with apt-get: $*"
    $as_root apt-get update -qq || say "apt-get update failed; trying with the lists that are here" >&2
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends \
        -o DPkg::Lock::Timeout=300 "$@" >/dev/null
}

# Whether .venv was finished, by this Python and in this folder: a venv can't be moved.
venv_is_sound() {
    [ -f .venv/ready ] && [ "$(.venv/bin/python -VV)" = "$("$PYTHON" -VV)" ] &&
        grep -F "$(pwd -P)/.venv/bin/python" .venv/bin/pip
} >/dev/null 2>&1

# .venv/ready holds what the install was made from. It goes first and comes last, so that whatever
# was cut short in between is made anew.
make_venv() {
    made_from=$("$PYTHON" -VV; pwd -P; cat pyproject.toml constraints.txt)
    [ "$made_from" != "$(cat .venv/ready 2>/dev/null)" ] || return 0
    maker=$(cat .venv/making 2>/dev/null) && kill -0 "$maker" 2>/dev/null &&
        refuse "process $maker is at work on .venv: wait for it, or remove .venv"
    say "installing into .venv (some minutes, once)"
    if venv_is_sound; then rm .venv/ready; else rm -rf .venv/ready .venv; fi
    mkdir -p .venv
    echo $$ >.venv/making
    [ -f .venv/bin/pip ] || "$PYTHON" -m venv .venv
    .venv/bin/pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[video,cluster,dev]"
    rm .venv/making
    echo "$made_from" >.venv/ready
}

refuse_old_python
system=$(which_system)
packages=$(missing "$system")
if [ -n "$packages" ]; then
    install_packages $packages
    refuse_old_python
    still=$(missing need)
    [ -z "$still" ] || refuse "installed, yet still not found: $still"
fi
make_venv
