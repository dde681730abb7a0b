const PAGE = /^\/@([\w.-]{1,128})(?:\/(\d{1,20}))?\/?$/

/**
 * The uris that what is at an address may have: the address itself, and for a page of a profile or status what Mastodon and this server call the one it
 * shows.
 */
export const urisOfPage = (address: string): readonly string[] => {
  const url = URL.parse(address)
  const [, name, id] = PAGE.exec(url?.pathname ?? '') ?? []
  if (!url || !name) return [address]
  return [address, `${url.origin}/users/${name}${id ? `/statuses/${id}` : ''}`]
}
