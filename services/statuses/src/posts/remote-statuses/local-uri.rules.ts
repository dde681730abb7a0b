import { isId } from '@rookery/ids'

/** A status of this server as a uri names it; `isAct` for what boosts or publishes it. */
type LocalUri = { uri: string; username: string; id: string; isAct: boolean }

/** What a uri of this server names: `/users/NAME/statuses/ID`, and the boost of that id with `/activity` (decision 30). */
export const localStatus = (uri: string, baseUrl: string): LocalUri | undefined => {
  if (!uri.startsWith(`${baseUrl}/`)) return undefined
  const [, username, id, act] = /^\/users\/(\w+)\/statuses\/(\d+)(\/activity)?$/.exec(uri.slice(baseUrl.length)) ?? []
  return username !== undefined && id !== undefined && isId(id) ? { uri, username, id, isAct: act !== undefined } : undefined
}

/** The username of a person of this server whose actor has this uri. */
export const localUsername = (uri: string, baseUrl: string): string | undefined =>
  uri.startsWith(`${baseUrl}/`) ? /^\/users\/(\w+)$/.exec(uri.slice(baseUrl.length))?.[1]?.toLowerCase() : undefined
