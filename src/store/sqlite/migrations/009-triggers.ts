// Triggers, the deliveries that wait or were made, and the log of their attempts.

export const sql = `
alter table personas add column requires_source_name integer not null default 0;
alter table personas add column wanted_events text not null default '';

create table triggers (
  persona_id integer not null,
  id text not null,
  name text not null,
  source text not null,
  events text not null,
  url text not null,
  secret text not null,
  old_secret text,
  old_secret_until integer,
  is_on integer not null,
  off_reason text,
  failing_since integer,
  created_at integer not null,
  updated_at integer not null,
  primary key (persona_id, id)
) strict, without rowid;

create table deliveries (
  persona_id integer not null,
  id text not null,
  trigger_id text not null,
  type text not null,
  payload text not null,
  state text not null,
  attempts integer not null,
  tries integer not null,
  due_at integer not null,
  lease text,
  last_status integer,
  last_error text,
  created_at integer not null,
  settled_at integer,
  primary key (persona_id, id)
) strict;
create index deliveries_due on deliveries (due_at, trigger_id) where state = 'waiting';
create index deliveries_of_trigger on deliveries (persona_id, trigger_id, id);
create index deliveries_leased on deliveries (lease) where lease is not null;

create table delivery_attempts (
  persona_id integer not null,
  delivery_id text not null,
  number integer not null,
  at integer not null,
  took_ms real not null,
  status integer,
  error text,
  response text not null,
  primary key (persona_id, delivery_id, number)
) strict, without rowid;
`
