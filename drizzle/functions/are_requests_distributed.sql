-- are_requests_distributed: whether `requests` is spread over the workers of a Citus cluster. There a statement sees
-- newer rows of `requests` than of tables on the coordinator: what is compared must have been at rest for a while.
CREATE OR REPLACE FUNCTION are_requests_distributed() RETURNS boolean
LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
DECLARE
  v_distributed boolean;
BEGIN
  IF to_regclass('pg_catalog.pg_dist_partition') IS NULL THEN RETURN false; END IF;
  EXECUTE 'SELECT EXISTS (SELECT FROM pg_catalog.pg_dist_partition WHERE logicalrelid = ''requests''::regclass)'
    INTO v_distributed;
  RETURN v_distributed;
END $$;
