-- is_abandoned: whether this person and account are no longer needed: no mailed link that still works,
-- no one else in the account, no other account of the person, nothing recorded in it, and no trace of money (an entry, a
-- request, a lease, a key, a top-up).
CREATE OR REPLACE FUNCTION is_abandoned(p_person uuid, p_account uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT NOT EXISTS (SELECT FROM email_tokens t
                      WHERE t.person_id = p_person AND t.consumed_at IS NULL AND t.expires_at > now())
     AND NOT EXISTS (SELECT FROM memberships m
                      WHERE (m.person_id = p_person) <> (m.account_id = p_account))
     AND NOT EXISTS (SELECT FROM audit_log l WHERE l.account_id = p_account)
     AND NOT EXISTS (SELECT FROM person_events e WHERE e.person_id = p_person)
     AND NOT EXISTS (SELECT FROM api_keys k WHERE k.account_id = p_account)
     AND NOT EXISTS (SELECT FROM api_keys k WHERE k.created_by = p_person)
     AND NOT EXISTS (SELECT FROM top_ups o WHERE o.account_id = p_account)
     AND NOT EXISTS (SELECT FROM top_ups o WHERE o.person_id = p_person)
     AND NOT EXISTS (SELECT FROM requests r WHERE r.account_id = p_account)
     AND NOT EXISTS (SELECT FROM leases l WHERE l.account_id = p_account)
     AND NOT EXISTS (SELECT FROM entries e WHERE e.account_id = p_account)
$$;
