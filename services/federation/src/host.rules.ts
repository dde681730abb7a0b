/**
 * The host of an address of the web, with its port when it has one; undefined for what is no such address. A name that ends with the dot of the
 * root is none: it would be a second name of the same server.
 */
export const hostOf = (address: string): string | undefined => {
  const url = URL.parse(address)
  const isOfWeb = url?.protocol === 'https:' || url?.protocol === 'http:'
  return isOfWeb && !url.hostname.endsWith('.') ? url.host : undefined
}

/** Whether two addresses are on one host: only then one of them is believed about the other. */
export const isSameHost = (one: string, other: string): boolean => hostOf(one) !== undefined && hostOf(one) === hostOf(other)
