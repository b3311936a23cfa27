// People sign in through another service that knows them.

export const sql = `
create table identities (
  issuer text collate "C" not null,
  subject text collate "C" not null,
  account_id text collate "C" not null,
  created_at bigint not null,
  primary key (issuer, subject)
);
create unique index identities_by_account on identities (account_id, issuer);
`
