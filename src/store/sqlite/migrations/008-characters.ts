// Lists show how long a text is without reading it.

export const sql = `
alter table documents add column characters integer not null default 0;
update documents set characters = length(text);
`
