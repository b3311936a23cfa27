// What the chat models of a reply took and cost.

export const sql = `
alter table replies add column prompt_tokens integer;
alter table replies add column answer_tokens integer;
alter table replies add column cost real;
alter table replies add column currency text;
`
