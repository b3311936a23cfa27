// Every key begins with the persona, ready to be distributed by it; `keys` alone belongs to no persona.

export const sql = `
create table personas (
  id integer primary key,
  domain_key text not null unique,
  domain_name text not null,
  name text not null,
  picture text,
  threshold real not null,
  instructions text not null,
  owner_name text not null,
  owner_email text not null,
  owner_picture text not null,
  owner_identity_id integer not null,
  created_at integer not null
) strict;

create table keys (
  id text primary key,
  hash text not null unique,
  last4 text not null,
  name text not null,
  admin integer not null,
  personas text not null,
  default_persona integer,
  scopes text not null,
  legacy integer not null,
  expires_at integer,
  created_at integer not null,
  last_used_at integer
) strict, without rowid;

create table documents (
  persona_id integer not null,
  id text not null,
  kind text not null,
  title text not null,
  title_key text not null,
  text text not null,
  raw_text text,
  source_name text not null,
  url text,
  file_name text,
  media_type text,
  file_bytes integer not null,
  start_time integer not null,
  end_time integer,
  time_given integer not null,
  tags text not null,
  is_draft integer not null,
  is_edited integer not null,
  request_id text not null,
  created_at integer not null,
  updated_at integer not null,
  state text not null,
  progress integer not null,
  error text,
  attempts integer not null,
  due_at integer not null,
  lease text,
  lease_until integer,
  primary key (persona_id, id)
) strict;
create index documents_by_title on documents (persona_id, title_key, id) where kind <> 'memory';
create index documents_listed on documents (persona_id, id) where kind <> 'memory';
create index documents_due on documents (due_at) where state in ('waiting', 'reading');
create index documents_failed on documents (persona_id) where state = 'failed';

create table file_pieces (
  persona_id integer not null,
  document_id text not null,
  position integer not null,
  bytes blob not null,
  primary key (persona_id, document_id, position)
) strict;

create table revisions (
  persona_id integer not null,
  document_id text not null,
  revision integer not null,
  text text not null,
  replaced_at integer not null,
  primary key (persona_id, document_id, revision)
) strict;

create table memories (
  number integer primary key,
  persona_id integer not null,
  id text not null,
  document_id text not null,
  position integer not null,
  text text not null,
  time integer not null,
  headings text not null,
  page integer,
  start integer not null,
  "end" integer not null,
  speaker text,
  unique (persona_id, id)
) strict;
create index memories_of_document on memories (persona_id, document_id, position);

create virtual table memory_words using fts5 (
  persona, text, content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2'
);

create table sessions (
  persona_id integer not null,
  id text not null,
  messages integer not null,
  started_at integer not null,
  last_at integer not null,
  primary key (persona_id, id)
) strict, without rowid;
create index sessions_by_time on sessions (persona_id, last_at, id);

create table messages (
  persona_id integer not null,
  session_id text not null,
  position integer not null,
  id text not null,
  role text not null,
  text text not null,
  score real not null,
  source_app text not null,
  user_name text,
  metadata text not null,
  time integer not null,
  primary key (persona_id, session_id, position)
) strict, without rowid;

create table drafts (
  persona_id integer not null,
  id text not null,
  session_id text not null,
  question text not null,
  text text not null,
  score real not null,
  reason text not null,
  sources text not null,
  source_app text not null,
  created_at integer not null,
  primary key (persona_id, id)
) strict, without rowid;
`
