const PAGE = /^\/@([\w.-]{1,128})(?:\/(\d{1,20}))?\/?$/

/**
 * The uris that an address may stand for: the address itself, and for the page of a profile or status, the uri that Mastodon and this
 * server give it.
 */
export const urisOfPage = (address: string): readonly string[] => {
  const url = URL.parse(address)
  const [, name, id] = PAGE.exec(url?.pathname ?? '') ?? []
  if (!url || !name) return [address]
  return [address, `${url.origin}/users/${name}${id ? `/statuses/${id}` : ''}`]
}
