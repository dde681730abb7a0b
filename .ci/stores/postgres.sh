#!/bin/sh
# What the public image of Postgres does when it starts, as far as the chart asks for it.
set -eu
bin=$(echo /usr/lib/postgresql/*/bin)
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  (umask 077 && printf '%s' "$POSTGRES_PASSWORD" >/tmp/password)
  "$bin/initdb" --pgdata="$PGDATA" --username=postgres --auth-local=trust --auth-host=scram-sha-256 --pwfile=/tmp/password --encoding=UTF8 --locale=C.UTF-8
  rm /tmp/password
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
  "$bin/pg_ctl" --pgdata="$PGDATA" --options="-c listen_addresses=''" --wait start
  "$bin/createdb" --username=postgres "$POSTGRES_DB"
  "$bin/pg_ctl" --pgdata="$PGDATA" --wait stop
fi
exec "$bin/postgres" -D "$PGDATA" -c 'listen_addresses=*' "$@"
