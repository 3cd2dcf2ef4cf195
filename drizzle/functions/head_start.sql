-- head_start: how much is reserved in advance beside what a call needs, of money and of rates alike. The nearer to zero, the
-- more exact: nothing where less than 32 times the need is left, and never more than a sixteenth of what the call leaves.
-- `packages/ledger/src/reservation.ts` has the other half of this arithmetic.
--   p_ahead  what the recent demand suggests
CREATE OR REPLACE FUNCTION head_start(p_left anyelement, p_need anyelement, p_ahead anyelement) RETURNS anyelement
LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_left / 32 >= p_need THEN least(p_ahead, (p_left - p_need) / 16) ELSE p_ahead - p_ahead END
$$;
