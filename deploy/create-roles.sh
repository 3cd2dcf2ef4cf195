#!/bin/sh
# Runs create-roles.sql when the container of PostgreSQL starts on an empty volume. psql reads the passwords from the
# environment: every user of a machine can read command lines.
set -eu
psql --set=ON_ERROR_STOP=1 --username="$POSTGRES_USER" --dbname=postgres <<'COMMANDS'
\getenv owner_password TURNPIKE_OWNER_PASSWORD
\getenv app_password TURNPIKE_APP_PASSWORD
\include /turnpike/create-roles.sql
COMMANDS
