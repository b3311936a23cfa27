// A persona may be shared with people without keys, and they may say whether a reply was right.

export const sql = `
alter table personas add column sharing text;
alter table replies add column visitor_label text;
create index replies_judged_by_visitors on replies (persona_id, id) where visitor_label is not null;
`
