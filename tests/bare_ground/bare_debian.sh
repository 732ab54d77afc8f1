# shellcheck shell=bash
# A bare Debian in a folder, for scripts of this folder to include: a root as debootstrap makes it, that reaches the archive as
# this machine does. The script that includes it is root, has `checkout`, the folder of Gradual, and gets `debian`, the new root.

# Mounts are made in a namespace of their own and end with it, whatever happens.
if [ -z "${BARE_GROUND:-}" ]; then
  if [ "$(id -u)" -ne 0 ] || ! command -v debootstrap >/dev/null || ! unshare --mount true 2>/dev/null; then
    echo "skipped: a bare Debian takes root, debootstrap and unshare"
    exit 77
  fi
  BARE_GROUND=1 exec unshare --mount --propagation private "$0" "$@"
fi

# shellcheck disable=SC2154  # the script that includes this has it
bases=$checkout/build/bare_ground
work=$(mktemp -d "${TMPDIR:-/tmp}/bare_ground.XXXXXX")
debian=$work/root
end_all_in_debian() {
  local process
  for process in /proc/[0-9]*; do
    [ "$(readlink "$process/root" 2>/dev/null)" != "$debian" ] || kill "${process#/proc/}" 2>/dev/null || true
  done
}
leave() {
  end_all_in_debian
  # In this order; a root that is still mounted somewhere keeps what is not its own.
  umount "$work/base" "$debian/dev/shm" "$debian/dev/pts" "$debian/sys" "$debian/proc" 2>/dev/null || true
  rm -rf --one-file-system "$work"
}
trap leave EXIT
trap 'exit 130' INT TERM

# The archive of Debian that this machine's apt uses; nothing where it uses none: debootstrap then takes its own.
mirror() {
  local of_this_machine
  # shellcheck disable=SC2016  # fields of apt
  of_this_machine=$(apt-get indextargets --format '$(LABEL) $(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
    awk '$1 == "Debian" {print $2; exit}') || true
  echo "${DEBIAN_MIRROR:-$of_this_machine}"
}

# What lets this machine's apt, pip and their like reach their servers: apt's settings of how to acquire, passwords, names of
# hosts, certificates.
reach_as_this_machine_does() {
  local file
  apt-config dump 2>/dev/null | grep -E '^Acquire::(https?|ftp|Retries|ForceIPv[46]|Check-|Max-)' \
    >"$debian/etc/apt/apt.conf.d/00-this-machine" || true
  for file in /etc/apt/auth.conf /etc/apt/auth.conf.d /etc/resolv.conf /etc/hosts /etc/pip.conf \
    /usr/local/share/ca-certificates /etc/ssl/certs/ca-certificates.crt; do
    [ ! -e "$file" ] || { mkdir -p "$debian/$(dirname "$file")" && cp -rL "$file" "$debian/$(dirname "$file")/"; }
  done
}

# make_bare_debian <12|13>: the root, from debootstrap or as it left it less than a week ago.
make_bare_debian() {
  local suite base
  case $1 in
    12) suite=bookworm ;;
    13) suite=trixie ;;
    *) echo "bare_ground: Debian 12 or 13, not $1" >&2 && exit 2 ;;
  esac
  base=$bases/debian-$1.tar
  mkdir -p "$bases" "$debian"
  if [ -z "$(find "$base" -mtime -7 2>/dev/null)" ]; then
    mkdir "$work/base" && mount -t tmpfs tmpfs "$work/base"  # dpkg waits for the disk after every file
    # shellcheck disable=SC2046  # no word where there is none
    debootstrap --variant=minbase "$suite" "$work/base" $(mirror) >"$work/debootstrap.log" 2>&1 ||
      { tail -n 20 "$work/debootstrap.log" >&2 && exit 1; }
    tar -cf "$base.part" -C "$work/base" --one-file-system . && mv "$base.part" "$base"
    umount "$work/base"
  fi
  tar -xf "$base" -C "$debian"
  echo force-unsafe-io >"$debian/etc/dpkg/dpkg.cfg.d/bare-ground"  # a root that lasts an hour need not survive a power cut
  [ -z "$(mirror)" ] || echo "deb $(mirror) $suite main" >"$debian/etc/apt/sources.list"
  reach_as_this_machine_does
  mount -t proc proc "$debian/proc"
  mount -t sysfs -o ro sysfs "$debian/sys"
  mount -t devpts -o ptmxmode=666,newinstance devpts "$debian/dev/pts"
  mount -t tmpfs -o mode=1777 tmpfs "$debian/dev/shm"
  ln -sf pts/ptmx "$debian/dev/ptmx"
}

# in_debian [--as <user's number>] <command...>: runs it in the root, with nothing of this machine but the way to the network.
in_debian() {
  local user=0 home=/root
  local -a environment
  if [ "$1" = --as ]; then
    user=$2 home=/home/$2
    shift 2
  fi
  readarray -t environment < <(env | grep -iE '^((http|https|ftp|no|all)_proxy|PIP_[A-Z_]+|SSL_CERT_FILE|REQUESTS_CA_BUNDLE|OPENBLAS_CORETYPE)=')
  chroot --userspec="$user:$user" "$debian" env -i HOME="$home" TERM="${TERM:-dumb}" LANG=C.UTF-8 \
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "${environment[@]}" "$@"
}

# The checkout as git sees it, with what is not committed yet: copy_checkout <folder of the new root>.
copy_checkout() {
  mkdir -p "$debian$1"
  git -C "$checkout" ls-files -z --cached --others --exclude-standard |
    tar -C "$checkout" --null --files-from - --ignore-failed-read -cf - 2>/dev/null | tar -C "$debian$1" --no-same-owner -xf -
}
