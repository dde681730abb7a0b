#!/bin/sh
# assemble.sh SERVICE FOLDER: puts into FOLDER what one service runs on: its code, that of the packages it uses, and their dependencies for
# production. Nothing is built; Node runs the sources. The Dockerfile takes this step, and so does anyone who makes an image without Docker.
set -eu
service=$1 out=$2
root=$(cd "$(dirname "$0")/.." && pwd)
pnpm=$(sed -n "s/^const PNPM = '\(.*\)'$/\1/p" "$root/scripts/bootstrap.mjs")

mkdir -p "$out/services"
cp "$root/package.json" "$root/pnpm-lock.yaml" "$root/pnpm-workspace.yaml" "$out/"
copy() { (cd "$root" && tar -cf - --exclude=node_modules --exclude=tests --exclude='*.test.ts' "$@") | tar -C "$out" -xf -; }
copy packages
if [ "$service" = all-in-one ]; then copy services; else copy "services/$service"; fi

cd "$out"
# The service, the operator's command and what prepares an installation. The image brings its own Node.
CI=true npx -y "pnpm@$pnpm" install --prod --frozen-lockfile --prefer-offline \
  --filter-prod "@rookery/$service..." --filter-prod '@rookery/cli...' --filter-prod '@rookery/setup...'
rm -rf node_modules/.pnpm/node-* node_modules/.pnpm/node_modules/node-* node_modules/node-* node_modules/.bin
# The other packages came along for their manifests.
cd packages
for package in *; do
  [ -d "$package/node_modules" ] || ! grep -Eq '"(d|optionalD)ependencies"' "$package/package.json" || rm -rf "$package"
done
