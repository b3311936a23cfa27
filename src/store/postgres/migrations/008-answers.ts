// A message under a caller's own name for it is claimed while it is answered; `document_id` is then its reply's.

export const sql = `
alter table requests add column lease text collate "C";
alter table requests add column lease_until bigint;
`
