#!/bin/sh
# strip-system.sh [ROOT]: takes out of a Debian what installs and changes things: package managers, set-uid programs, documents. The list of
# packages stays (var/lib/dpkg/status), by which scanners know what is inside. /data is for user 1000, and so is Node's cache.
set -eu
root=${1:-}
rm -rf "$root"/usr/bin/apt "$root"/usr/bin/apt-* "$root"/usr/bin/dpkg "$root"/usr/bin/dpkg-* "$root"/usr/sbin/dpkg-* "$root"/usr/lib/apt \
  "$root"/usr/lib/dpkg "$root"/etc/apt "$root"/var/lib/apt "$root"/var/cache/apt "$root"/var/cache/debconf "$root"/var/log/apt \
  "$root"/var/log/dpkg.log "$root"/var/lib/dpkg/info "$root"/usr/share/doc "$root"/usr/share/man "$root"/usr/share/locale
find "$root"/usr "$root"/bin "$root"/sbin -xdev -type f \( -perm -4000 -o -perm -2000 \) -delete 2>/dev/null || true
mkdir -p "$root"/app "$root"/data "$root"/var/cache/rookery
chown 1000:1000 "$root"/data "$root"/var/cache/rookery
# Postgres wants to know whose process it is.
grep -q '^[^:]*:[^:]*:1000:' "$root"/etc/passwd || echo 'rookery:x:1000:1000::/data:/usr/sbin/nologin' >>"$root"/etc/passwd
grep -q '^[^:]*:[^:]*:1000:' "$root"/etc/group || echo 'rookery:x:1000:' >>"$root"/etc/group
rm -rf "$root"/tmp/*
chmod 1777 "$root"/tmp
