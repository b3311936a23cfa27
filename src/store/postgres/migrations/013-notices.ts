// People are told of what waits: where each of them wants to be told, and what is on its way there.

export const sql = `
create table notice_ways (
  id text collate "C" primary key,
  account_id text collate "C" not null,
  kind text not null,
  language text not null,
  target text not null,
  on_drafts integer not null,
  on_digest integer not null,
  time_zone text not null,
  digest_at bigint,
  tries integer not null,
  retry_at bigint not null,
  trouble text,
  created_at bigint not null
);
create index notice_ways_by_account on notice_ways (account_id);
create table secrets (
  name text collate "C" primary key,
  text text not null
);
alter table deliveries add column way text;
create index deliveries_of_ways on deliveries (way) where way is not null;
`
