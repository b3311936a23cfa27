// Recall searches by traces held in memory; the engine's own word index goes, and everything is learned anew to leave
// traces.

export const sql = `
drop table memory_words;

create table traces (
  persona_id integer not null,
  number integer not null,
  document_id text not null,
  time integer not null,
  speaker text,
  is_turn integer not null,
  is_self integer not null,
  words blob not null,
  primary key (persona_id, number)
) strict, without rowid;
create index traces_of_document on traces (persona_id, document_id);

create table vectors (
  persona_id integer not null,
  number integer not null,
  embedder text not null,
  bytes blob not null,
  primary key (persona_id, number, embedder)
) strict, without rowid;

create table changes (
  persona_id integer not null,
  sequence integer not null,
  document_id text not null,
  primary key (persona_id, sequence)
) strict, without rowid;

create index documents_drafts on documents (persona_id, id) where is_draft = 1;

update documents set state = 'waiting', due_at = 0, attempts = 0 where state = 'ready';
`
