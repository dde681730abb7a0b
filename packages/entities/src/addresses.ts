import type { RemoteOrigin } from '@rookery/contracts/statuses'

/** Where the public finds things, by the shapes clients parse (beyond-the-spec 3.4). `baseUrl` has no trailing slash. */
export const addresses = (baseUrl: string) => ({
  /** As the metadata of OAuth names the server (RFC 8414). */
  issuer: `${baseUrl}/`,
  profile: (username: string) => `${baseUrl}/@${username}`,
  actor: (username: string) => `${baseUrl}/users/${username}`,
  status: (username: string, id: string) => `${baseUrl}/@${username}/${id}`,
  statusUri: (username: string, id: string) => `${baseUrl}/users/${username}/statuses/${id}`,
  boost: (username: string, id: string) => `${baseUrl}/users/${username}/statuses/${id}/activity`,
  tag: (name: string) => `${baseUrl}/tags/${encodeURIComponent(name)}`,
  profileTag: (username: string, name: string) => `${baseUrl}/@${username}/tagged/${encodeURIComponent(name)}`,
  missingAvatar: `${baseUrl}/avatars/original/missing.png`,
  missingHeader: `${baseUrl}/headers/original/missing.png`,
})

/** A person by username, and where they come from when that is another server. */
export type Person = { username: string; origin?: RemoteOrigin | undefined }

/** A person as people of this server write them: with a domain when it is another one's. */
export const acctOf = ({ username, origin }: Person): string => (origin ? `${username}@${origin.domain}` : username)

/** The page of a person, on their own server. */
export const profileOf = ({ username, origin }: Person, urls: Addresses): string => origin?.url || urls.profile(username)

export type Addresses = ReturnType<typeof addresses>
