// A migration that has landed is never edited: a database that applied it would keep what the old text
// made, under code that was written for the new one.
import { expect, test } from "bun:test";
import { join } from "node:path";

const folder = join(import.meta.dir, "../../../drizzle");

/**
 * The SHA-256 of each landed migration. A new one adds a line here when it lands, with the hash
 * that `sha256sum drizzle/NNNN_name.sql` prints. If the test reports another hash, restore the
 * file and put the change into a new migration; the text of a function belongs in
 * `drizzle/functions/`.
 */
const landed: Readonly<Record<string, string>> = {
  "0000_tables": "d2250ea378836af8ab67d89ccf2fbea9408c8f0f7b60bdf5c10a75707c9015aa",
  "0001_money": "66a4d89f6a95940e47e26669b76d35b8c43ef0bab8cf12a23bd8a5ec84e3ee8a",
  "0002_console": "57ef3c16edd92de26654463fb5bd59f047bb3976ef66ab151397c6b87f59eff4",
  "0003_console_rights": "6bd4a7df2e79efa0837cf9d65c836c70fcb242254c761a94191e5f3290f03981",
  "0004_devices": "64d4bd4a0f0e2eff2813ceafe7a41dea0a3287954d148fce28a714905b656f20",
  "0005_key_rotation": "5591131099810f1163ece094e217e9961763f6b8c8d25e87639e6c39bdb9cb61",
  "0006_drop_rotated_to": "5713a2785c9bd4feab882e6e9a20f39651253e56af5e7f890199d83c9fd76974",
  "0007_top_up_versions": "2a1995f50bc08b912a29417a23d0211e433cab6ed90361b359f3a9ceb0362a5e",
  "0008_account_credits": "a4e5a8c3fbfcaceb2d21be4b5a2daafecdd478e994ec796222d58cc87e7e07f5",
  "0009_count_credits": "2f619a925bee79f94403699c411ff4180d9590bbdb6334bb937ec08d229c0f68",
  "0010_key_changes": "50242d8bb3de623e5523a2af847b5aea8598929e76309240d850b5b785a2d361",
  "0011_delete_unverified": "aaaf13c1e28a36fb34122b20ece8eb4d528a4e5766d0dd37614ba21fa8e1863c",
  "0012_refuse_reused_movements":
    "bf24be09ca9a46ba8da4c5fab866bb7f3a01da002345f857cc64d05bc4d310c3",
  "0013_narrow_rights": "92c922ac87eac023c8c3462dab3fbbfd7250f2874cd57dd9e9980d7ccbea1e30",
  "0014_cap_late_charges": "be87175101f129d625b02f98e81072ca5a9e2a36d34460c8a87e69f613353399",
  "0015_request_partitions": "f7262f18990a9fa27e58e561390e51314f771bc03d5b4fe5882c193173a491e4",
  "0016_account_recovery": "df24120fe4f47989f81c1f0e0e75248c020c796475ccd1e8af2ad32e6841c759",
  "0017_shared_work": "2c378bd5596ca811c72aeb3e9860796354db3da9c164941c58ad7fbb338d7913",
  "0018_leases": "58f6a056075478a69becf383899119f086709da634f60708c7739db130225a91",
  "0019_job_owner": "07d8dd73933b5e7f166dcfa5d7d39a851ed60e9f00be1d1bf54a6d962d52091e",
  "0020_request_operation": "6670ddd1806899cba91452eb3c848eb724c547bc88b4a789b264764cd9cc2304",
  "0021_stored_answers": "4bba6a956230bbc701c30bba6150a18c2449f7cd89e4f9e2b2a752edee38db08",
  "0022_route_prices": "e7e70a3aa593a56ed8ea6175e77c52fe3822a12d581e5f79cd124d4ca704281a",
  "0023_cache_write_1h": "976ad2545c4db7d984dd1afaa77940620a539d0072b5af4966e092f7063ca9ec",
  "0024_stored_answers_account": "4792a7dfbdebb8b69306da03fa6b9aa0867cd56e7af5c1f74dd9221e364f29fc",
  "0025_service_tiers": "29132397330db0dda79e08ccc83c0f770531cc06596aa67e873bd5d14bb44182",
  "0026_audio_and_search_prices":
    "a5c680b689589b93c29fefeaefabddaeb7a05195b0851605e162fb1055351ebb",
  "0027_cache_hit_rows": "64f8365f230189a8c90f6a2a6984130203b59a347ed38ed2005f455e72d76f3f",
  "0028_schema_state": "575b2389840acd72d514abd86a5fcb6ef1e4a10424b1b22d2b0ac879d8a6ceb2",
  "0029_long_prompt_prices": "ceff5a4785c8713a00e23063128f2a01e3146631446a03e6c5da16d35c2327d7",
  "0030_write_proofs": "b556cdfb3387d98e901992fb4e1a352129f5f81c7801b44810a94156c7abb802",
  "0031_lease_recalls": "e29937ced2fee4eaf5cde89e5901cdfee43cd8f8ddf7ced1e927fb0f1b41ef5e",
  "0032_sandbox_payments": "b61f3ef974b43616856ab102591880bccd7f2210efee0a102da3e135b1cfa8d5",
  "0033_teams": "2292a9c44c4101991b235864ca7768a0ef218c48f1930de7089c44b12b0d33f4",
  "0034_webhooks": "c7e89de65574ad47035e0a761d9bff26f32f52b03db63fbda3b05f87e3a56293",
  "0035_signing_keys": "d778a09b0e97acf8fea415a91434e73d1c4e7972c947a916347af0ec9334a050",
  "0036_identities": "2cf0688c0918efe00fd7e1a74b8f3a38a0105899e5c20d05fccfce67d01b0c65",
  "0037_audit_retention": "1cbef0ba8c2a14f59348950b48c933e452cd155c5c92f195f049a812fad0cf9a",
  "0038_management_keys": "792a985a67ced64e9603e8c99c02ea66aa005c535069c894252f130cedff0989",
  "0039_factors": "92416a06e418f3c674e64fd56034a593d2eef52cc7f51cde53fa23e65b87ad33",
  "0040_budgets": "35b149a96fdda5e448bc7c6ecbf6aeef71945e0e24f0d12295ee62e88fc157b8",
  "0041_domains": "1f78f21410b61a9ea991b91d1d320562aebc128a77525e96c07c5e694fc9c6db",
  "0042_delete_persons": "8e62fb969f64a8e7f402afde585a7bc0434afa6d747c6ede5ae08f7cd8db4663",
  "0043_recount_under_key_locks":
    "684eb701b63db8eb01faa1f17fd049bf0ff0491c48ed6065bb582a94cbf18176",
  "0044_stored_prompts": "59208ee07f1efc963913f8f34653740ac88655bea7bc9397615f1ae173ec3479",
  "0045_rate_limits": "2971d5f4215f1954fcf9308697d4eff1e8de19fa97ca48af4756b2a03e35c2d7",
  "0046_guardrails": "d5844812d2dbb8170faf6d0f3f3bdfbc914e8c41a5d9cfbf00c044af4949a021",
  "0047_key_money_zone": "fcdf19707b88c7f981da0987bc1b17eb44085da21ab569bfc8b531f9cacc123c",
  "0048_counted_limits": "19bfe05d95927999dfe72defb00a8d3c65b3fbd661d9b42095ad5a820914874e",
  "0049_switched_off": "c5eaa44f94d5107369efba57e3ea6fb875d5d5bdf129bbf6c97c1aa1bacad589",
  "0050_operators": "bc7d3db86a54e1ea20c9481e7ca448feb50b7ebee8f87016d68e074b6512574f",
  "0051_operator_system": "f682dcbd7fd7c2beedb4825c6696f507126a0a9d587ad9c3ae7a1cb2d5f04c38",
  "0052_usage_quarter_hours": "47fb705a6c24788e2d80739c2527dd348f3d32b9f504783f9c38197821366cd5",
  "0053_usage_blocks": "8a1c5e4b423785a967b3f4a643fe77ed717f9c1fe515bb08ba366e68605d89a3",
  "0054_status": "1c69e5e1cb9c69cc5987491d48701abaf8c0ea5279410d44a03f42a80fe63952",
  "0055_drop_inbox_object": "8bf5d24bf640f7f5515893a6ce173b539f98ad9696a9607d93a7c289aa8c7140",
  "0056_retired_requests": "a1a2e5a87215d6c8a1691b5b13db8c5b0c3f5099a184249869dad4776b73a5d1",
  "0057_catalog_texts": "6a5527afeb54666695da7670c913341df1397f55b85df190a318567da9767bd3",
  "0058_evidence_due_at": "6e41b9518c046230cb8a6d283f75c76c7dbc0b61897299836b4c9bfc7cb00e0c",
  "0059_account_credit_limit": "de16560160208a5e3961d97c91f817e827228e2e35d570e036a9ba65c310c1e3",
  "0060_usage_days": "fbdbbaecace792f9f5d825328ed764cf5b8d67fc05c7dadd82efba1426423e93",
  "0061_account_price_terms": "bc710311c8de539e34d7bddaacde6a6a0dd31730687ad11f821d367c48695ea3",
  "0062_auto_top_ups": "eabab609febc365c5cf5e950f8da7e60a4031123b5b0159d975d5c6328e97f8c",
  "0063_company_details": "30e5b007b7f7abf13084beeb4c086d38d34896de6e6e29640a67b781f3229f1c",
  "0064_unusual_spend": "9801888f9b1dd6407485340cc5a429d9f9ec1be879134ff40b152a242f724b25",
  "0065_request_callers": "a662718a8866a3037bcbcbdc5aca55c328d52313f6eba028298c98ef63cae65f",
  "0066_shared_conversations": "20533b0e8769c14266b1b73065f1b6b9526bed55ac624a16aecf79d4a7610d6b",
  "0067_status_hours": "0f36aef5f93c734fbdd1fb2740732ee0890465a5ca48e0e08e926790bb3d1aa3",
  "0068_functions_version": "09f1b5897f22ca8933857cb565ceddda751d8867a05e08abd00dceaa84e71d5d",
  "0069_route_model_refused": "b1e8839053bbe8a34170159cfd9be7739ceec0d96435bac13763125b8dae8c97",
  "0070_spent_since": "38c6ea9c9ab2241997b3c05f5a56ce52f92efaae2971ab5ec474be557284ad2b",
  "0071_secret_holders": "5961ada1136570b1dc9f483c7ecc2920c3bfda0363c60683db3ce36c4f22b9bb",
  "0072_limits_of_keys": "179d6c614d62b70abfd3c38ca551158f65f5d5af63e72688b7bbe436a8cf95db",
  "0073_drop_limits_of_keys": "6a944e36091dd575c62efff88f36f99d0b5b3e530ae9dbe19e097716069c4abc",
};

test("landed migrations are unchanged, and every migration is in the list", async () => {
  const { entries } = await Bun.file(join(folder, "meta/_journal.json")).json();
  const found: Record<string, string> = {};
  for (const { tag } of entries as { tag: string }[]) {
    const text = await Bun.file(join(folder, `${tag}.sql`)).arrayBuffer();
    found[tag] = new Bun.CryptoHasher("sha256").update(text).digest("hex");
  }
  expect(found).toEqual(landed);
});

test("each migration is newer than the one before it: an older one would never be applied", async () => {
  const { entries } = await Bun.file(join(folder, "meta/_journal.json")).json();
  const times = (entries as { when: number }[]).map((entry) => entry.when);
  expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
});
