-- requests_of_account: the money of an account's requests with ids from p_from to before p_until, for the checker.
-- PL/pgSQL, one statement for each account: Citus sends it to the shard of that account, and PostgreSQL reads it by
-- the primary key, whatever else the checker's statement joins.
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
