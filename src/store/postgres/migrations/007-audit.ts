// What owners, keys and the service did, in a chain of hashes that only grows.

export const sql = `
create table audit (
  number bigint primary key,
  at bigint not null,
  who text not null,
  what text not null,
  on_what text not null,
  from_where text not null,
  outcome text not null,
  hash text not null
);
create or replace function audit_only_grows() returns trigger language plpgsql as
  'begin raise exception ''the audit record only grows''; end';
create trigger audit_stays before update or delete or truncate on audit
  for each statement execute function audit_only_grows();
`
