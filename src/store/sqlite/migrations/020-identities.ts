// People sign in through another service that knows them.

export const sql = `
create table identities (
  issuer text not null,
  subject text not null,
  account_id text not null,
  created_at integer not null,
  primary key (issuer, subject)
);
create unique index identities_by_account on identities (account_id, issuer);
`
