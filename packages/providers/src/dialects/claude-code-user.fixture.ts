// `metadata.user_id` as Claude Code sends it, in the format of its version 2.1: JSON in a text.

/** 150 characters. */
export function claudeCodeUser(digit: string): string {
  return JSON.stringify({
    device_id: digit.repeat(64),
    account_uuid: "",
    session_id: "0b6a2b1e-5b0c-4a51-9d0e-3f6f3a7e2c11",
  });
}
