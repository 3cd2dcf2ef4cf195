-- lease_sum: what the requests of one lease add up to. PL/pgSQL for the reason that requests_of_account gives.
CREATE OR REPLACE FUNCTION lease_sum(p_account uuid, p_lease uuid,
  OUT spent bigint, OUT shortfall bigint, OUT calls bigint)
LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
BEGIN
  SELECT coalesce(sum(x.charged_nanos), 0), coalesce(sum(x.shortfall_nanos), 0), count(*)
    INTO spent, shortfall, calls
    FROM requests x WHERE x.account_id = p_account AND x.lease_id = p_lease;
END $$;
