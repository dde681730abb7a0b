/** This server as authenticators know it: the domain that passkeys belong to, and the origin of its pages (WebAuthn, 5.1.2). */
export type RelyingParty = { id: string; origin: string }

/** The same out of the base URL; undefined where browsers make no passkeys: for an IP address, and without TLS but on this machine. */
export const relyingPartyOf = (baseUrl: string): RelyingParty | undefined => {
  const { hostname, origin, protocol } = new URL(baseUrl)
  const isDomain = !/^\[|^[\d.]+$/.test(hostname)
  const isSecure = protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost')
  return isDomain && isSecure ? { id: hostname, origin } : undefined
}
