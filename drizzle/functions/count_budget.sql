-- count_budget: what a budget's subject spent and holds since p_from, or ever where that is NULL. Calls older than
-- leases are read from their requests, in a statement of their own: `requests` may be distributed.
-- PL/pgSQL, because Citus cannot plan a parameter of an SQL function.
CREATE OR REPLACE FUNCTION count_budget(p_account uuid, p_kind text, p_subject uuid, p_from timestamptz,
  OUT spent bigint, OUT held bigint)
LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
DECLARE
  v_from timestamptz := coalesce(p_from, '-infinity');
  v_before_leases bigint;
BEGIN
  SELECT coalesce(sum(l.spent_nanos) FILTER (WHERE l.closed_at IS NOT NULL), 0)::bigint,
         coalesce(sum(l.granted_nanos) FILTER (WHERE l.closed_at IS NULL), 0)::bigint
    INTO spent, held
    FROM leases l
   WHERE l.account_id = p_account AND l.hour >= v_from
     AND CASE p_kind WHEN 'account' THEN true
                     WHEN 'project' THEN coalesce(l.project_id, l.account_id) = p_subject
                     WHEN 'member' THEN l.person_id = p_subject
                     ELSE l.key_id = p_subject END;
  IF p_kind = 'member' OR v_from >= leases_since() THEN RETURN; END IF;
  SELECT coalesce(sum(r.charged_nanos), 0)::bigint INTO v_before_leases
    FROM requests r
   WHERE r.account_id = p_account AND r.lease_id IS NULL AND r.charged_nanos > 0
     AND r.placed_at >= v_from
     AND r.id < uuid7_floor(
           least(greatest(leases_since(), timestamptz '2000-01-01'), now()) + interval '1 day')
     AND CASE p_kind WHEN 'account' THEN true
                     WHEN 'project' THEN r.account_id = p_subject
                     ELSE r.key_id = p_subject END;
  spent := spent + v_before_leases;
END $$;
