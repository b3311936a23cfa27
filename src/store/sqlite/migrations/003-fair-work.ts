// Work is shared fairly between personas and sizes, and its steps can be followed.

export const sql = `
alter table documents add column lane integer not null default 0;
alter table documents add column changed_at integer not null default 0;
update documents set lane = 1 where file_bytes > 65536 or length(text) > 20000;

drop index documents_due;
create index documents_due on documents (lane, persona_id, due_at) where state in ('waiting', 'reading');
create index documents_changed on documents (changed_at);
`
