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

/** The roles of accounts. id and color are for clients; `user` is the default. */
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

/** Whether these permissions include one; administrators have every permission. */
export const holds = (permissions: number, permission: number): boolean => (permissions & (permission | PERMISSIONS.administrator)) !== 0

/** Who may invite people to the server: all accounts, accounts with a role, or none (the setting INVITES). */
export type Inviters = 'everyone' | 'staff' | 'off'

/** Whether accounts with a role may invite people. */
export const mayInvite = (name: RoleName, inviters: Inviters): boolean =>
  (ROLES[name].permissions & PERMISSIONS.inviteUsers) !== 0 && (inviters === 'everyone' || (inviters === 'staff' && name !== 'user'))

/** The permissions of a role, without the one to invite people if it may not. */
export const permissionsOf = (name: RoleName, inviters: Inviters): number =>
  mayInvite(name, inviters) ? ROLES[name].permissions : ROLES[name].permissions & ~PERMISSIONS.inviteUsers

/** The roles with a permission. */
export const rolesWith = (permission: number): RoleName[] =>
  (Object.keys(ROLES) as RoleName[]).filter((name) => holds(ROLES[name].permissions, permission))

/** The roles from the lowest to the highest. */
export const RANKS: readonly RoleName[] = ['user', 'moderator', 'admin', 'owner']

/** An account and its role. */
export type RoleHolder = { accountId: string; role: RoleName }

const isAbove = (one: RoleName, other: RoleName) => RANKS.indexOf(one) > RANKS.indexOf(other)

/**
 * Whether an account may act on another: an operator (undefined) on any, staff on those of a lower rank, and no one on themselves
 * (beyond-the-spec 2.6).
 */
export const mayActOn = (actor: RoleHolder | undefined, target: RoleHolder): boolean =>
  !actor || (actor.accountId !== target.accountId && isAbove(actor.role, target.role))

/**
 * Whether an account may change the role of another: an operator (undefined) and owners any role of anyone, themselves included; other
 * staff the roles of those of a lower rank, to a role below their own.
 */
export const mayChangeRole = (actor: RoleHolder | undefined, target: RoleHolder, role: RoleName): boolean =>
  !actor || actor.role === 'owner' || (mayActOn(actor, target) && isAbove(actor.role, role))
