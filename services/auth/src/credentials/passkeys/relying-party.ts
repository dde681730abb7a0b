/** The relying party: the domain that passkeys belong to, and the origin of its pages (WebAuthn, 5.1.2). */
export type RelyingParty = { id: string; origin: string }

/**
 * The relying party of a base URL; undefined if browsers do not support passkeys there: for IP addresses, and without TLS except on
 * localhost.
 */
export const relyingPartyOf = (baseUrl: string): RelyingParty | undefined => {
  const { hostname, origin, protocol } = new URL(baseUrl)
  const isDomain = !/^\[|^[\d.]+$/.test(hostname)
  const isSecure = protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost')
  return isDomain && isSecure ? { id: hostname, origin } : undefined
}
