/** The host of an address of the web, with its port when it has one; undefined for what is no such address. */
export const hostOf = (address: string): string | undefined => {
  const url = URL.parse(address)
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url.host : undefined
}

/** Whether two addresses are on one host: only then one of them is believed about the other. */
export const isSameHost = (one: string, other: string): boolean => hostOf(one) !== undefined && hostOf(one) === hostOf(other)
