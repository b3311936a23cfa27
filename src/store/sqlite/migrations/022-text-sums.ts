// A checksum beside each text that is quoted (sums.ts); the service fills them in for what is there already.

export const sql = `
create table memories_sums (
  persona_id integer not null,
  id text not null,
  sum integer not null,
  primary key (persona_id, id)
) strict, without rowid;

create table documents_sums (
  persona_id integer not null,
  id text not null,
  sum integer not null,
  primary key (persona_id, id)
) strict, without rowid;
`
