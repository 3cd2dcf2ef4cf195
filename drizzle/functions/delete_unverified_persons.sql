-- delete_unverified_persons: deletes people who registered and never verified their address, with the
-- account that was never used: the server's role may not delete accounts itself. Seven days after the last
-- registration, once no mailed link works any more; never a person an operator created (they have no
-- password), and never an account with a trace of money. Returns how many people it deleted.
CREATE OR REPLACE FUNCTION delete_unverified_persons(p_max integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  v_persons uuid[];
  v_accounts uuid[];
BEGIN
  -- Checked again once they are locked: a posting or a verification comes before this or after it.
  WITH abandoned AS MATERIALIZED (
    SELECT p.id AS person_id, a.id AS account_id
      FROM persons p
      JOIN memberships m ON m.person_id = p.id
      JOIN accounts a ON a.id = m.account_id
     WHERE p.email_verified_at IS NULL AND p.password_hash IS NOT NULL
       AND coalesce(p.password_changed_at, p.created_at) < now() - interval '7 days'
       AND a.balance_nanos = 0 AND a.held_nanos = 0 AND a.credited_nanos = 0
       AND a.stripe_customer_id IS NULL AND is_abandoned(p.id, a.id)
     ORDER BY a.id
     LIMIT p_max
       FOR UPDATE OF a, p SKIP LOCKED
  )
  SELECT array_agg(person_id), array_agg(account_id) INTO v_persons, v_accounts FROM abandoned;
  SELECT array_agg(u.person_id), array_agg(u.account_id) INTO v_persons, v_accounts
    FROM unnest(v_persons, v_accounts) u (person_id, account_id)
   WHERE is_abandoned(u.person_id, u.account_id);
  DELETE FROM email_tokens WHERE person_id = ANY (v_persons);
  DELETE FROM sessions WHERE person_id = ANY (v_persons);
  DELETE FROM devices WHERE person_id = ANY (v_persons);
  DELETE FROM memberships WHERE person_id = ANY (v_persons);
  DELETE FROM persons WHERE id = ANY (v_persons);
  DELETE FROM accounts WHERE id = ANY (v_accounts);
  RETURN coalesce(cardinality(v_persons), 0);
END $$;
