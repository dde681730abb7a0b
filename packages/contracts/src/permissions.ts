/** Bits of Role.permissions (beyond-the-spec 1.1, Role). */
export const PERMISSIONS = {
  administrator: 0x1,
  viewDevops: 0x2,
  viewAuditLog: 0x4,
  viewDashboard: 0x8,
  manageReports: 0x10,
  manageFederation: 0x20,
  manageSettings: 0x40,
  manageBlocks: 0x80,
  manageTaxonomies: 0x100,
  manageAppeals: 0x200,
  manageUsers: 0x400,
  manageInvites: 0x800,
  manageRules: 0x1000,
  manageAnnouncements: 0x2000,
  manageCustomEmojis: 0x4000,
  manageWebhooks: 0x8000,
  inviteUsers: 0x10000,
  manageRoles: 0x20000,
  manageUserAccess: 0x40000,
  deleteUserData: 0x80000,
  viewFeeds: 0x100000,
} as const

const EVERY_BIT = Object.values(PERMISSIONS).reduce((all, bit) => all | bit, 0)
const MODERATOR =
  PERMISSIONS.viewDashboard | PERMISSIONS.viewAuditLog | PERMISSIONS.manageUsers | PERMISSIONS.manageReports | PERMISSIONS.manageTaxonomies

/** The roles an account can hold. id and color are what clients see; user is everyone's role. */
export const ROLES = {
  user: { id: '-99', name: '', permissions: PERMISSIONS.inviteUsers, color: '', isHighlighted: false },
  moderator: { id: '1', name: 'Moderator', permissions: PERMISSIONS.inviteUsers | MODERATOR, color: '', isHighlighted: true },
  admin: {
    id: '2',
    name: 'Admin',
    permissions: EVERY_BIT & ~(PERMISSIONS.administrator | PERMISSIONS.viewDevops),
    color: '',
    isHighlighted: true,
  },
  owner: { id: '3', name: 'Owner', permissions: EVERY_BIT, color: '', isHighlighted: true },
} as const

export type RoleName = keyof typeof ROLES

/** Whether text names a role. */
export const isRoleName = (text: string): text is RoleName => Object.hasOwn(ROLES, text)

/** Whether these permissions include one; an administrator holds every one. */
export const holds = (permissions: number, permission: number): boolean => (permissions & (permission | PERMISSIONS.administrator)) !== 0

/** Who may invite people to the server: everyone with an account, those with a role, or no one (the setting INVITES). */
export type Inviters = 'everyone' | 'staff' | 'off'

/** Whether someone of a role may invite people. */
export const mayInvite = (name: RoleName, inviters: Inviters): boolean =>
  (ROLES[name].permissions & PERMISSIONS.inviteUsers) !== 0 && (inviters === 'everyone' || (inviters === 'staff' && name !== 'user'))

/** The permissions of a role on a server where these may invite people: where it may not, without that bit. */
export const permissionsOf = (name: RoleName, inviters: Inviters): number =>
  mayInvite(name, inviters) ? ROLES[name].permissions : ROLES[name].permissions & ~PERMISSIONS.inviteUsers

/** The roles that hold a permission. */
export const rolesWith = (permission: number): RoleName[] =>
  (Object.keys(ROLES) as RoleName[]).filter((name) => holds(ROLES[name].permissions, permission))

/** The roles from the lowest to the highest. */
export const RANKS: readonly RoleName[] = ['user', 'moderator', 'admin', 'owner']

/** Someone with the role they hold. */
export type RoleHolder = { accountId: string; role: RoleName }

const isAbove = (one: RoleName, other: RoleName) => RANKS.indexOf(one) > RANKS.indexOf(other)

/** Whether someone may act on an account: an operator (undefined) on any, staff on those below them, and no one on themselves (beyond-the-spec 2.6). */
export const mayActOn = (actor: RoleHolder | undefined, target: RoleHolder): boolean =>
  !actor || (actor.accountId !== target.accountId && isAbove(actor.role, target.role))

/**
 * Whether someone may give an account another role: an operator (undefined) and owners every one to everyone, themselves included; other staff one
 * below their own to those below them.
 */
export const mayChangeRole = (actor: RoleHolder | undefined, target: RoleHolder, role: RoleName): boolean =>
  !actor || actor.role === 'owner' || (mayActOn(actor, target) && isAbove(actor.role, role))
