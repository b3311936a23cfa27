// What people may do: each role has its rights.

export const roles = ['administrator', 'owner', 'reviewer', 'reader'] as const
export type Role = (typeof roles)[number]

// `own`: about oneself. `talk`: to a persona. `look`: at all of a persona. `judge`: settle drafts, say which replies
// were right. `manage`: teach and change a persona, its keys and triggers. `administer`: the service, and people.
export const rights = ['own', 'talk', 'look', 'judge', 'manage', 'administer'] as const
export type Right = (typeof rights)[number]

const most: Record<Role, Right> = { administrator: 'administer', owner: 'manage', reviewer: 'judge', reader: 'look' }

// Each right includes those before it.
export const rightsOf = (role: Role): Right[] => rights.slice(0, rights.indexOf(most[role]) + 1)

export const mayRole = (role: Role | undefined, right: Right): boolean =>
  role !== undefined && rightsOf(role).includes(right)
