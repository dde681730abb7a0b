import type { RemoteOrigin } from '@rookery/contracts/statuses'

/** Public URLs, in the shapes that clients parse (beyond-the-spec 3.4). `baseUrl` has no trailing slash. */
export const addresses = (baseUrl: string) => ({
  /** The issuer in the OAuth metadata (RFC 8414). */
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

/** A username, and the origin if the person is of another server. */
export type Person = { username: string; origin?: RemoteOrigin | undefined }

/** The acct of a person: with a domain if they are of another server. */
export const acctOf = ({ username, origin }: Person): string => (origin ? `${username}@${origin.domain}` : username)

/** The URL of a person's profile, on their own server. */
export const profileOf = ({ username, origin }: Person, urls: Addresses): string => origin?.url || urls.profile(username)

export type Addresses = ReturnType<typeof addresses>
