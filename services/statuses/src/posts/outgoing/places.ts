import type { AccountPlace, StatusPlace } from './outgoing.store.ts'

/** Where people and statuses are, as other servers name them: at their own server, or below `baseUrl` (decision 30). */
export const placesOn = (baseUrl: string) => {
  const actor = ({ username, uri }: Pick<AccountPlace, 'username' | 'uri'>): string => uri ?? `${baseUrl}/users/${username}`
  const status = ({ id, username, uri }: Pick<StatusPlace, 'id' | 'username' | 'uri'>, isBoost = false): string =>
    uri ?? `${baseUrl}/users/${username}/statuses/${id}${isBoost ? '/activity' : ''}`
  /** What approves a quote by a status, of a status of this person's. */
  const quoteAuthorization = (username: string, quotingId: string): string =>
    `${baseUrl}/users/${username}/quote_authorizations/${quotingId}`
  return { actor, status, quoteAuthorization }
}
