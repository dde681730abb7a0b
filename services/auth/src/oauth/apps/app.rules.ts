import { ALL_SCOPES, parseScopes } from '@rookery/contracts/scopes'

/** The redirect URI of apps whose codes are shown for copying (out-of-band). */
export const OUT_OF_BAND = 'urn:ietf:wg:oauth:2.0:oob'

const NAME_LENGTH = 60
const URI_LENGTH = 2000
/** Schemes that would execute in the redirecting page (beyond-the-spec 1.3). */
const FORBIDDEN_SCHEMES = new Set(['javascript:', 'data:', 'vbscript:'])

export type AppDraft = { name: string; redirectUris: string[]; scopes: string[]; website: string }

const wordsOf = (text: string) => text.split(/\s+/).filter(Boolean)
const isPlain = (text: string) => text.isWellFormed() && !text.includes('\0')

/** Normalises a registration: splits redirect URIs, otherwise unchanged; the default scope is read. */
export const draftApp = (sent: { name: string; redirectUris: readonly string[]; scopes: string; website: string }): AppDraft => ({
  name: sent.name.trim(),
  redirectUris: [...new Set(sent.redirectUris.flatMap(wordsOf))],
  scopes: parseScopes(sent.scopes.trim() || 'read'),
  website: sent.website.trim(),
})

const faultOfUri = (uri: string) => {
  const parsed = isPlain(uri) ? URL.parse(uri) : null
  if (!parsed) return 'Redirect URI must be an absolute URI.'
  if (FORBIDDEN_SCHEMES.has(parsed.protocol)) return 'Redirect URI is forbidden by the server.'
  if (uri.includes('#')) return 'Redirect URI cannot contain a fragment.'
  return undefined
}

/** The limit is on all redirect URIs together, because anyone may register an app. */
const faultOfUris = (uris: readonly string[]) => {
  if (uris.length === 0) return "Redirect URI can't be blank"
  return uris.join('\n').length > URI_LENGTH ? `Redirect URI is too long (maximum is ${URI_LENGTH} characters)` : undefined
}

const faultOfWebsite = (website: string) => {
  if (!website) return undefined
  if (website.length > URI_LENGTH) return `Website is too long (maximum is ${URI_LENGTH} characters)`
  const isWeb = isPlain(website) && /^https?:$/.test(URL.parse(website)?.protocol ?? '')
  return isWeb ? undefined : 'Website is invalid'
}

const faultOfName = (name: string) => {
  if (!name) return "Name can't be blank"
  if ([...name].length > NAME_LENGTH) return `Name is too long (maximum is ${NAME_LENGTH} characters)`
  return isPlain(name) ? undefined : 'Name is invalid'
}

/** The faults of a registration, as sentences of the API; empty if there are none (beyond-the-spec 1.2, 1.3). */
export const faultsOfApp = (draft: AppDraft): string[] => {
  const faults = [
    faultOfName(draft.name),
    faultOfUris(draft.redirectUris),
    ...draft.redirectUris.map(faultOfUri),
    faultOfWebsite(draft.website),
    draft.scopes.every((scope) => ALL_SCOPES.has(scope)) ? undefined : "Scopes doesn't match configured on the server.",
  ]
  return [...new Set(faults.filter((fault) => fault !== undefined))]
}
