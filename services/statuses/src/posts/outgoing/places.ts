import type { AccountPlace, StatusPlace } from './outgoing.store.ts'

/** The uris of accounts and statuses: those of their own server, or below `baseUrl` (decision 30). */
export const placesOn = (baseUrl: string) => {
  const actor = ({ username, uri }: Pick<AccountPlace, 'username' | 'uri'>): string => uri ?? `${baseUrl}/users/${username}`
  const status = ({ id, username, uri }: Pick<StatusPlace, 'id' | 'username' | 'uri'>, isBoost = false): string =>
    uri ?? `${baseUrl}/users/${username}/statuses/${id}${isBoost ? '/activity' : ''}`
  /** The uri of the approval of a quote of this person's status. */
  const quoteAuthorization = (username: string, quotingId: string): string =>
    `${baseUrl}/users/${username}/quote_authorizations/${quotingId}`
  return { actor, status, quoteAuthorization }
}
