// A session may have a title of its owner's, and knows which program opened it; replies are found by their session.

export const sql = `
alter table sessions add column title text not null default '';
alter table sessions add column source_app text not null default '';
update sessions set source_app = coalesce(
  (select source_app from messages
   where messages.persona_id = sessions.persona_id and messages.session_id = sessions.id and position = 1), '');
create index replies_by_session on replies (persona_id, session_id);
`
