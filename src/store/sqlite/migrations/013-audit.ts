// What owners, keys and the service did, in a chain of hashes that only grows.

export const sql = `
create table audit (
  number integer primary key,
  at integer not null,
  who text not null,
  what text not null,
  on_what text not null,
  from_where text not null,
  outcome text not null,
  hash text not null
);
create trigger audit_stays before update on audit begin select raise(abort, 'the audit record only grows'); end;
create trigger audit_keeps before delete on audit begin select raise(abort, 'the audit record only grows'); end;
`
