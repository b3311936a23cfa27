// Whose a session is, and whose words a memory is. Keys that could do everything may still do so, and so may keys that
// only read what others said.

export const sql = `
alter table sessions add column holder text;
alter table documents add column said_by text;
update keys set scopes = replace(scopes, ']', ',"sessions"]')
where admin = 0 and scopes like '%"read"%' and (
  (scopes like '%"message"%' and scopes like '%"instruction"%' and scopes like '%"memory"%'
    and scopes like '%"upload"%' and scopes like '%"update"%')
  or (scopes not like '%"message"%' and scopes not like '%"instruction"%')
);
`
