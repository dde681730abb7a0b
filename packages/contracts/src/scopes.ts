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

/** The scopes that an umbrella scope includes (beyond-the-spec 1.3, Scopes). */
const UMBRELLAS: ReadonlyMap<string, readonly string[]> = new Map([
  ['read', under('read', READ)],
  ['write', under('write', WRITE)],
  ['admin:read', under('admin:read', ADMIN)],
  ['admin:write', under('admin:write', ADMIN)],
  ['follow', FOLLOW],
])

/** Every scope that a client may request. */
export const ALL_SCOPES: ReadonlySet<string> = new Set(['push', 'profile', ...UMBRELLAS.keys(), ...[...UMBRELLAS.values()].flat()])

/** Parses scopes separated by spaces or plus signs, without duplicates. */
export const parseScopes = (text: string): string[] => [...new Set(text.split(/[\s+]+/).filter(Boolean))]

/** The given scopes and all scopes they include. */
export const expandScopes = (scopes: readonly string[]): Set<string> =>
  new Set(scopes.flatMap((scope) => [scope, ...(UMBRELLAS.get(scope) ?? [])]))

/** Whether the granted scopes include the wanted one, directly or by an umbrella. */
export const covers = (granted: readonly string[], wanted: string): boolean =>
  granted.some((scope) => scope === wanted || UMBRELLAS.get(scope)?.includes(wanted) === true)
