// Feeds and sites that a persona follows, and what is known of their pages.

export const sql = `
create table sources (
  persona_id bigint not null references personas (id) deferrable initially deferred,
  id text collate "C" not null,
  url text not null,
  kind text,
  title text not null,
  every_ms bigint,
  is_on integer not null,
  off_reason text,
  failures integer not null,
  error text,
  due_at bigint not null,
  lease text collate "C",
  lease_until bigint,
  look integer not null,
  look_began bigint,
  pages_done integer not null,
  pages_of integer not null,
  etag text,
  last_modified text,
  looked_at bigint,
  account text,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (persona_id, id)
);
create index sources_due on sources (due_at) where is_on = 1;
create index sources_leased on sources (lease) where lease is not null;

create table source_pages (
  persona_id bigint not null,
  source_id text collate "C" not null,
  url text collate "C" not null,
  look integer not null,
  outcome text not null,
  reason text,
  version text,
  hash text,
  etag text,
  last_modified text,
  document_id text collate "C",
  fetched_at bigint not null,
  primary key (persona_id, source_id, url)
);
`
