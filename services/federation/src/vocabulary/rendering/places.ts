/** The ActivityPub uris of local actors and statuses (decision 30). `baseUrl` has no trailing slash. */
export const places = (baseUrl: string) => {
  const actor = (username: string) => `${baseUrl}/users/${username}`
  return {
    host: new URL(baseUrl).host,
    hostname: new URL(baseUrl).hostname,
    about: `${baseUrl}/about`,
    actor,
    profile: (username: string) => `${baseUrl}/@${username}`,
    inbox: (username: string) => `${actor(username)}/inbox`,
    sharedInbox: `${baseUrl}/inbox`,
    outbox: (username: string) => `${actor(username)}/outbox`,
    followers: (username: string) => `${actor(username)}/followers`,
    followersSynchronisation: (username: string) => `${actor(username)}/followers_synchronization`,
    following: (username: string) => `${actor(username)}/following`,
    featured: (username: string) => `${actor(username)}/collections/featured`,
    featuredTags: (username: string) => `${actor(username)}/collections/tags`,
    status: (username: string, id: string) => `${actor(username)}/statuses/${id}`,
    statusPage: (username: string, id: string) => `${baseUrl}/@${username}/${id}`,
    /** The uri of the approval for the status `quotingId` to quote a status of this author. */
    quoteAuthorization: (username: string, quotingId: string) => `${actor(username)}/quote_authorizations/${quotingId}`,
    tag: (name: string) => `${baseUrl}/tags/${encodeURIComponent(name)}`,
    instanceActor: `${baseUrl}/actor`,
    key: (actorUri: string) => `${actorUri}#main-key`,
  }
}

export type Places = ReturnType<typeof places>

/** The beginning of the ids of activities that ask relays for a subscription. */
export const followsOfRelays = ({ instanceActor }: Places): string => `${instanceActor}#relays/`

/** A local account or status in a uri. */
type LocalName = { readonly username: string; readonly statusId: string }

const ACTOR = /^\/users\/([A-Za-z0-9_]{1,64})(?:\/statuses\/(\d{1,19})(?:\/activity)?)?\/?$/
const PAGE = /^\/@([A-Za-z0-9_]{1,64})(?:\/(\d{1,19}))?\/?$/

/** Parses the uri or page of a local account or status; undefined for any other. */
export const localName = (baseUrl: string, uri: string): LocalName | undefined => {
  const url = URL.parse(uri)
  if (url?.origin !== new URL(baseUrl).origin) return undefined
  const found = ACTOR.exec(url.pathname) ?? PAGE.exec(url.pathname)
  return found?.[1] === undefined ? undefined : { username: found[1], statusId: found[2] ?? '' }
}
