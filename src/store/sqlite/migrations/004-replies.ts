// Replies are kept with their reasons and the owner's verdicts, and a persona with what those verdicts taught.

export const sql = `
create table replies (
  persona_id integer not null,
  id text not null,
  session_id text not null,
  question text not null,
  text text not null,
  score real not null,
  logit real not null,
  decision text not null,
  answered_by text not null,
  took_ms real not null,
  label text,
  explanation text not null,
  created_at integer not null,
  primary key (persona_id, id)
) strict, without rowid;
create index replies_labelled on replies (persona_id, id) where label is not null;

alter table personas add column calibration text;
`
