#!/bin/sh
# Runs create-roles.sql when the container of PostgreSQL starts on an empty volume.
set -eu
psql --set=ON_ERROR_STOP=1 --username="$POSTGRES_USER" --dbname=postgres \
  --set=owner_password="$TURNPIKE_OWNER_PASSWORD" --set=app_password="$TURNPIKE_APP_PASSWORD" \
  --file=/turnpike/create-roles.sql
