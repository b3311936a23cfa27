// A document may come again from where it came from: it is known by its name there.

export const sql = `
alter table documents add column origin text;
alter table documents add column origin_hash text;
create index documents_by_origin on documents (persona_id, origin) where origin is not null;
`
