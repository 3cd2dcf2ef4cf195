-- ensure_request_partitions: makes the partitions of this month and of at most twelve months ahead; returns how
-- many it made. Rows of such a month that landed in the default partition, written by a process whose clock
-- was wrong, move with it. Waits at most lock_timeout for readers of the default partition, then fails with
-- 55P03 and has changed nothing: callers try again. A lock request that waited longer would stall every
-- reader behind it. ATTACH, because CREATE TABLE ... PARTITION OF locks the whole table against everybody.
CREATE OR REPLACE FUNCTION ensure_request_partitions(p_months_ahead integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '250ms' AS $$
DECLARE
  v_this_month timestamp := date_trunc('month', now() AT TIME ZONE 'utc');
  v_month timestamp;
  v_name text;
  v_from uuid;
  v_to uuid;
  v_columns text;
  v_made integer := 0;
BEGIN
  IF p_months_ahead BETWEEN 0 AND 12 IS NOT TRUE THEN
    RAISE EXCEPTION 'between 0 and 12 months ahead, not %', p_months_ahead USING ERRCODE = 'check_violation';
  END IF;
  FOR i IN 0 .. p_months_ahead LOOP
    v_month := v_this_month + make_interval(months => i);
    v_name := 'requests_' || to_char(v_month, 'YYYY_MM');
    CONTINUE WHEN to_regclass(v_name) IS NOT NULL;
    IF v_made = 0 THEN
      -- One process at a time. An advisory lock would not do: only the lock of a table has this
      -- session notice what another one created while it waited.
      LOCK TABLE requests IN SHARE UPDATE EXCLUSIVE MODE;
      CONTINUE WHEN to_regclass(v_name) IS NOT NULL;
      LOCK TABLE requests_default IN ACCESS EXCLUSIVE MODE;
    END IF;
    v_from := uuid7_floor(v_month AT TIME ZONE 'utc');
    v_to := uuid7_floor((v_month + interval '1 month') AT TIME ZONE 'utc');
    EXECUTE format(
      'CREATE TABLE %I (LIKE requests INCLUDING ALL EXCLUDING INDEXES) WITH (fillfactor = 70)', v_name);
    SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) INTO v_columns
      FROM pg_attribute
     WHERE attrelid = 'requests'::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '';
    EXECUTE format(
      'WITH moved AS (DELETE FROM requests_default WHERE id >= %2$L AND id < %3$L RETURNING %4$s)
       INSERT INTO %1$I (%4$s) SELECT %4$s FROM moved', v_name, v_from, v_to, v_columns);
    EXECUTE format('ALTER TABLE requests ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
      v_name, v_from, v_to);
    v_made := v_made + 1;
  END LOOP;
  RETURN v_made;
END $$;
