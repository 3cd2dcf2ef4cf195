-- purge_audit_log: deletes the oldest rows of audit logs that their accounts no longer keep, and of persons' events
-- after 400 days or once the person was deleted, and the history of the keys of closed accounts, at most p_max of them: the
-- server's role may not delete them itself. Returns how many it deleted; 0 means that nothing is left to delete.
CREATE OR REPLACE FUNCTION purge_audit_log(p_max integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  v_rows integer;
  v_events integer := 0;
  v_changes integer := 0;
BEGIN
  -- The oldest row of each account says whether there is anything to do.
  WITH due AS (
    SELECT a.id, now() - make_interval(days => a.audit_retention_days) AS kept_since
      FROM accounts a
     WHERE a.audit_retention_days IS NOT NULL
  ), old AS (
    SELECT l.account_id, l.id
      FROM due d
     CROSS JOIN LATERAL (
       SELECT account_id, id, at FROM audit_log
        WHERE account_id = d.id
          AND (SELECT o.at FROM audit_log o WHERE o.account_id = d.id ORDER BY o.id LIMIT 1) < d.kept_since
        ORDER BY id
        LIMIT p_max) l
     WHERE l.at < d.kept_since
     LIMIT p_max
  )
  DELETE FROM audit_log l USING old WHERE l.account_id = old.account_id AND l.id = old.id;
  GET DIAGNOSTICS v_rows = ROW_COUNT;
  IF v_rows < p_max THEN
    DELETE FROM person_events e
     USING (SELECT person_id, id FROM person_events
             WHERE at < now() - interval '400 days'
                OR person_id IN (SELECT p.id FROM persons p WHERE p.deleted_at IS NOT NULL)
             LIMIT p_max - v_rows) old
     WHERE e.person_id = old.person_id AND e.id = old.id;
    GET DIAGNOSTICS v_events = ROW_COUNT;
  END IF;
  IF v_rows + v_events < p_max THEN
    -- They have earlier names of the keys.
    DELETE FROM key_changes c
     USING (SELECT k.id FROM accounts a
              JOIN api_keys owned ON owned.account_id = a.id
              JOIN key_changes k ON k.key_id = owned.id
             WHERE a.closed_at IS NOT NULL
             LIMIT p_max - v_rows - v_events) old
     WHERE c.id = old.id;
    GET DIAGNOSTICS v_changes = ROW_COUNT;
  END IF;
  RETURN v_rows + v_events + v_changes;
END $$;
