-- mark_automatic: keeps what automatic top-ups are due from (auto_top_ups.due_spent_nanos) when something other than a
-- call has moved the level of an account (its balance and what it may owe) by p_moved, in the transaction that moved it. A charge is
-- due once calls alone have taken the account below its threshold; where the movement itself did, no spending makes one
-- due until the account has been above again or a person turns charges on.
CREATE OR REPLACE FUNCTION mark_automatic(p_account uuid, p_moved bigint) RETURNS void
LANGUAGE sql SET search_path = public, pg_temp AS $$
  UPDATE auto_top_ups t SET due_spent_nanos = CASE
      WHEN a.level >= t.threshold_nanos THEN a.spent + a.level - t.threshold_nanos
      WHEN a.level - p_moved >= t.threshold_nanos THEN 9223372036854775807
      ELSE t.due_spent_nanos END
    FROM (SELECT m.balance_nanos + c.credit_limit_nanos AS level, m.credited_nanos - m.balance_nanos AS spent
            FROM account_money m JOIN accounts c ON c.id = m.account_id WHERE m.account_id = p_account) a
   WHERE t.account_id = p_account AND t.due_spent_nanos IS NOT NULL AND t.threshold_nanos IS NOT NULL
$$;
