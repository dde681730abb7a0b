#!/bin/sh
# run-changing FILE: runs a process of an image for development from a copy of its sources that can be written to, and starts it again when
# one that it has loaded changes. What ends by itself, as a migration, runs once.
set -eu
case ${1:-} in
  services/*/src/serve.ts | services/*/src/background.ts)
    # What is there already was changed meanwhile, and stays when the process is started again.
    mkdir -p /tmp/app
    cp -R -P --update=none /app/. /tmp/app/
    cd /tmp/app
    exec node --watch "$@"
    ;;
  *) exec node "$@" ;;
esac
