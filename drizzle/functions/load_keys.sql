-- load_keys: the keys with these hashes, of their secrets now or before the last rotation, each with its account and its
-- project, a row for each of its guardrails or one with none. Whole rows, so that a column added to a table needs nothing
-- here. A function because its plan is made once and, whatever the tables held then, begins with the hashes: to plan the
-- statement for every batch took several times as long as to run it.
CREATE OR REPLACE FUNCTION load_keys(p_hashes bytea[])
RETURNS TABLE (api_key api_keys, account accounts, project projects, guardrail guardrails)
LANGUAGE plpgsql STABLE ROWS 10 SET search_path = public, pg_temp
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  RETURN QUERY
    WITH found AS MATERIALIZED (
      SELECT x AS k, x.account_id, x.id, coalesce(x.project_id, x.account_id) AS project_id
        FROM api_keys x WHERE x.hash = ANY (p_hashes)
      UNION ALL
      SELECT x, x.account_id, x.id, coalesce(x.project_id, x.account_id)
        FROM api_keys x WHERE x.previous_hash = ANY (p_hashes) AND x.hash <> ALL (p_hashes)
    )
    SELECT f.k, a, p, g
      FROM found f
      JOIN accounts a ON a.id = f.account_id
      JOIN projects p ON p.account_id = f.account_id AND p.id = f.project_id
      LEFT JOIN guardrails g ON g.account_id = f.account_id
       AND g.subject_id IN (f.account_id, f.project_id, f.id)
       AND g.subject_id = CASE g.kind WHEN 'account' THEN f.account_id WHEN 'project' THEN f.project_id
                                      WHEN 'key' THEN f.id END;
END $$;
