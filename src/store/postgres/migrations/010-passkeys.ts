// People sign in with a passkey of their device.

export const sql = `
create table passkeys (
  id text collate "C" primary key,
  account_id text collate "C" not null,
  name text not null,
  public_key text not null,
  counter bigint not null,
  transports text not null,
  created_at bigint not null,
  last_used_at bigint
);
create index passkeys_by_account on passkeys (account_id);
create table challenges (
  hash text collate "C" primary key,
  who text collate "C" not null,
  expires_at bigint not null
);
create index challenges_by_time on challenges (expires_at);
`
