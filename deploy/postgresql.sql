-- A database for Hoplite: psql -U postgres -v password="'a long one'" -f deploy/postgresql.sql
-- Its settings must be the durable ones, which are PostgreSQL's own: fsync = on, synchronous_commit = on. The server
-- checks them when it starts.
CREATE ROLE hoplite LOGIN PASSWORD :password;
CREATE DATABASE hoplite OWNER hoplite ENCODING 'UTF8' TEMPLATE template0;
