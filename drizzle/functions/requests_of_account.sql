-- requests_of_account: the money of an account's requests with ids from p_from to before p_until, for the checker.
-- lease_sum: what the requests of one lease add up to.
-- PL/pgSQL, one statement for each account or lease: Citus sends it to the shard of that account, and PostgreSQL
-- reads it by the primary key, whatever else the checker's statement joins.
CREATE OR REPLACE FUNCTION requests_of_account(p_account uuid, p_from uuid, p_until uuid)
RETURNS TABLE (account_id uuid, id uuid, lease_id uuid, transaction_id uuid, state text, ended_at timestamptz,
  held_nanos bigint, cost_nanos bigint, charged_nanos bigint, shortfall_nanos bigint)
LANGUAGE plpgsql STABLE ROWS 10 SET search_path = public, pg_temp AS $$
BEGIN
  RETURN QUERY
    SELECT x.account_id, x.id, x.lease_id, x.transaction_id, x.state, x.ended_at, x.held_nanos,
           x.cost_nanos, x.charged_nanos, x.shortfall_nanos
      FROM requests x WHERE x.account_id = p_account AND x.id >= p_from AND x.id < p_until;
END $$;
CREATE OR REPLACE FUNCTION lease_sum(p_account uuid, p_lease uuid,
  OUT spent bigint, OUT shortfall bigint, OUT calls bigint)
LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
BEGIN
  SELECT coalesce(sum(x.charged_nanos), 0), coalesce(sum(x.shortfall_nanos), 0), count(*)
    INTO spent, shortfall, calls
    FROM requests x WHERE x.account_id = p_account AND x.lease_id = p_lease;
END $$;
-- has_requests: whether an account has requests with such ids. first_request: the id of its oldest one.
CREATE OR REPLACE FUNCTION has_requests(p_account uuid, p_from uuid, p_until uuid) RETURNS boolean
LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
BEGIN
  RETURN EXISTS (SELECT FROM requests x WHERE x.account_id = p_account AND x.id >= p_from AND x.id < p_until);
END $$;
CREATE OR REPLACE FUNCTION first_request(p_account uuid) RETURNS uuid
LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
BEGIN
  RETURN (SELECT x.id FROM requests x WHERE x.account_id = p_account ORDER BY x.id LIMIT 1);
END $$;
