// Feeds and sites that a persona follows, and what is known of their pages.

export const sql = `
create table sources (
  persona_id integer not null,
  id text not null,
  url text not null,
  kind text,
  title text not null,
  every_ms integer,
  is_on integer not null,
  off_reason text,
  failures integer not null,
  error text,
  due_at integer not null,
  lease text,
  lease_until integer,
  look integer not null,
  look_began integer,
  pages_done integer not null,
  pages_of integer not null,
  etag text,
  last_modified text,
  looked_at integer,
  account text,
  created_at integer not null,
  updated_at integer not null,
  primary key (persona_id, id)
) strict, without rowid;
create index sources_due on sources (due_at) where is_on = 1;
create index sources_leased on sources (lease) where lease is not null;

create table source_pages (
  persona_id integer not null,
  source_id text not null,
  url text not null,
  look integer not null,
  outcome text not null,
  reason text,
  version text,
  hash text,
  etag text,
  last_modified text,
  document_id text,
  fetched_at integer not null,
  primary key (persona_id, source_id, url)
) strict, without rowid;
`
