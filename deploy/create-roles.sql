-- Once per PostgreSQL cluster, as an administrator.
CREATE ROLE turnpike_owner LOGIN PASSWORD :'owner_password';
CREATE ROLE turnpike_app LOGIN PASSWORD :'app_password';
ALTER ROLE turnpike_app SET statement_timeout = '5s';
ALTER ROLE turnpike_app SET lock_timeout = '2s';
ALTER ROLE turnpike_app SET idle_in_transaction_session_timeout = '10s';
CREATE DATABASE turnpike OWNER turnpike_owner ENCODING 'UTF8' TEMPLATE template0;
