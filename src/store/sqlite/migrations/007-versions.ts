// A persona's version has a row of its own: one statement raises it, and no two writers get the same number. Requests
// that their callers gave a name are kept, so that each counts once.

export const sql = `
create table versions (
  persona_id integer primary key,
  sequence integer not null
) strict;
insert into versions select persona_id, max(sequence) from changes group by persona_id;

create table requests (
  persona_id integer not null,
  name text not null,
  fingerprint text not null,
  document_id text not null,
  created_at integer not null,
  primary key (persona_id, name)
) strict, without rowid;
create index requests_by_time on requests (persona_id, created_at);
`
