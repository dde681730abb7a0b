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

/** The roles that hold a permission. */
export const rolesWith = (permission: number): RoleName[] =>
  (Object.keys(ROLES) as RoleName[]).filter((name) => holds(ROLES[name].permissions, permission))
