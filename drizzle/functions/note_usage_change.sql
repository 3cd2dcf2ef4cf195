-- note_usage_change: remembers the quarter of an hour of a call that becomes visible long after it was placed. Its
-- quarter may have been added up: reports read it from requests until roll_up_usage has added it up again. Where
-- requests are distributed there is no such trigger, as a worker cannot write to the coordinator: there the functions
-- that charge take the note.
CREATE OR REPLACE FUNCTION note_usage_change() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  -- One row for each call: a row that another session wrote may be deleted before this call is visible.
  INSERT INTO usage_changes (account_id, quarter)
  VALUES (NEW.account_id, date_bin('15 minutes', NEW.placed_at, '2000-01-01 00:00:00+00'));
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION note_usage_change FROM PUBLIC;
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_trigger WHERE tgname = 'requests_note_late')
     AND NOT are_requests_distributed() THEN
    -- `rollUpUsage` waits longer than this before it adds a quarter up.
    CREATE TRIGGER requests_note_late AFTER INSERT ON requests FOR EACH ROW
      WHEN (NEW.placed_at < now() - interval '10 minutes')
      EXECUTE FUNCTION note_usage_change();
  END IF;
END $$;
