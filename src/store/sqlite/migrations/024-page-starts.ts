// Where a memory of several pages goes on on another one; memories that are there already have none.

export const sql = `
alter table memories add column page_starts text;
`
