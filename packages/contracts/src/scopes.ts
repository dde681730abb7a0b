const READ = [
  'accounts',
  'blocks',
  'bookmarks',
  'favourites',
  'filters',
  'follows',
  'lists',
  'mutes',
  'notifications',
  'search',
  'statuses',
]
const WRITE = [
  'accounts',
  'blocks',
  'bookmarks',
  'conversations',
  'favourites',
  'filters',
  'follows',
  'lists',
  'media',
  'mutes',
  'notifications',
  'reports',
  'statuses',
]
const ADMIN = ['accounts', 'reports', 'domain_allows', 'domain_blocks', 'ip_blocks', 'email_domain_blocks', 'canonical_email_blocks']
const FOLLOW = ['read:blocks', 'read:follows', 'read:mutes', 'write:blocks', 'write:follows', 'write:mutes']

const under = (umbrella: string, names: string[]) => names.map((name) => `${umbrella}:${name}`)

/** What an umbrella scope stands for (beyond-the-spec 1.3, Scopes). */
const UMBRELLAS: ReadonlyMap<string, readonly string[]> = new Map([
  ['read', under('read', READ)],
  ['write', under('write', WRITE)],
  ['admin:read', under('admin:read', ADMIN)],
  ['admin:write', under('admin:write', ADMIN)],
  ['follow', FOLLOW],
])

/** Every scope a client may ask for. */
export const ALL_SCOPES: ReadonlySet<string> = new Set(['push', 'profile', ...UMBRELLAS.keys(), ...[...UMBRELLAS.values()].flat()])

/** Scopes as typed, separated by spaces or plus signs, each once. */
export const parseScopes = (text: string): string[] => [...new Set(text.split(/[\s+]+/).filter(Boolean))]

/** The scopes given and everything they imply. */
export const expandScopes = (scopes: readonly string[]): Set<string> =>
  new Set(scopes.flatMap((scope) => [scope, ...(UMBRELLAS.get(scope) ?? [])]))

/** Whether what was granted covers the scope wanted, by itself or by an umbrella. */
export const covers = (granted: readonly string[], wanted: string): boolean =>
  granted.some((scope) => scope === wanted || UMBRELLAS.get(scope)?.includes(wanted) === true)
