// A checksum beside everything else that is quoted or handed out (sums.ts); the service fills them in for what is there
// already.

const placed = (table: string): string => `
create table ${table}_sums (
  persona_id integer not null,
  id text not null,
  place integer not null,
  sum integer not null,
  primary key (persona_id, id, place)
) strict, without rowid;
`

export const sql = `
create table drafts_sums (
  persona_id integer not null,
  id text not null,
  sum integer not null,
  primary key (persona_id, id)
) strict, without rowid;
${['messages', 'revisions', 'file_pieces'].map(placed).join('')}`
