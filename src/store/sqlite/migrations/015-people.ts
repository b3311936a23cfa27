// People have accounts; one-time links lead to them, and whoever is signed in to the console is in the store.

export const sql = `
create table accounts (
  id text primary key,
  email_key text not null unique,
  email text not null,
  name text not null,
  role text not null,
  personas text not null,
  password text,
  created_at integer not null,
  last_seen_at integer
);
create table invitations (
  id text primary key,
  hash text not null unique,
  email text not null,
  role text not null,
  personas text not null,
  account_id text,
  created_at integer not null,
  expires_at integer not null
);
create table sign_ins (
  id text primary key,
  who text not null,
  key_hash text,
  cookie_hash text not null,
  tab_hash text not null,
  is_kept integer not null,
  device text not null,
  address text not null,
  created_at integer not null,
  last_seen_at integer not null
);
create index sign_ins_by_who on sign_ins (who, last_seen_at);
`
