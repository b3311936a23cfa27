// A persona may write with a chat model of its own.

export const sql = `
alter table personas add column model text;
`
