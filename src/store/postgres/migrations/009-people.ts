// People have accounts; one-time links lead to them, and whoever is signed in to the console is in the store.

export const sql = `
create table accounts (
  id text collate "C" primary key,
  email_key text collate "C" not null unique,
  email text not null,
  name text not null,
  role text not null,
  personas text not null,
  password text,
  created_at bigint not null,
  last_seen_at bigint
);
create table invitations (
  id text collate "C" primary key,
  hash text collate "C" not null unique,
  email text not null,
  role text not null,
  personas text not null,
  account_id text collate "C",
  created_at bigint not null,
  expires_at bigint not null
);
create table sign_ins (
  id text collate "C" primary key,
  who text collate "C" not null,
  key_hash text collate "C",
  cookie_hash text collate "C" not null,
  tab_hash text collate "C" not null,
  is_kept integer not null,
  device text not null,
  address text not null,
  created_at bigint not null,
  last_seen_at bigint not null
);
create index sign_ins_by_who on sign_ins (who, last_seen_at);
`
