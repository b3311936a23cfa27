// People sign in with a passkey of their device.

export const sql = `
create table passkeys (
  id text primary key,
  account_id text not null,
  name text not null,
  public_key text not null,
  counter integer not null,
  transports text not null,
  created_at integer not null,
  last_used_at integer
);
create index passkeys_by_account on passkeys (account_id);
create table challenges (
  hash text primary key,
  who text not null,
  expires_at integer not null
);
create index challenges_by_time on challenges (expires_at);
`
