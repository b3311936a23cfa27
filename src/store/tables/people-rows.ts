// The rows of people, as both engines hold them.

export type AccountRow = {
  id: string
  email_key: string
  email: string
  name: string
  role: 'administrator' | 'owner' | 'reviewer' | 'reader'
  personas: string
  password: string | null
  created_at: number
  last_seen_at: number | null
}

export type InvitationRow = {
  id: string
  hash: string
  email: string
  role: 'administrator' | 'owner' | 'reviewer' | 'reader'
  personas: string
  account_id: string | null
  created_at: number
  expires_at: number
}

export type SignInRow = {
  id: string
  who: string
  key_hash: string | null
  cookie_hash: string
  tab_hash: string
  is_kept: number
  device: string
  address: string
  created_at: number
  last_seen_at: number
}

export type PasskeyRow = {
  id: string
  account_id: string
  name: string
  public_key: string
  counter: number
  transports: string
  created_at: number
  last_used_at: number | null
}

export type IdentityRow = { issuer: string; subject: string; account_id: string; created_at: number }

export type ChallengeRow = { hash: string; who: string; expires_at: number }

export type WayRow = {
  id: string
  account_id: string
  kind: 'mail' | 'push'
  language: 'en' | 'de'
  target: string // JSON, of a browser
  on_drafts: number
  on_digest: number
  time_zone: string
  digest_at: number | null
  tries: number // that failed, since one got through
  retry_at: number // nothing is sent there before
  trouble: string | null
  created_at: number
}
