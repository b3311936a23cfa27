// What the chat models of a reply took and cost.

export const sql = `
alter table replies add column prompt_tokens bigint;
alter table replies add column answer_tokens bigint;
alter table replies add column cost double precision;
alter table replies add column currency text collate "C";
`
