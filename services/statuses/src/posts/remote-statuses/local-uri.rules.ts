import { isId } from '@rookery/ids'

/** The parts of a local status's uri; `isAct` for the uri of an activity. */
type LocalUri = { uri: string; username: string; id: string; isAct: boolean }

/** Parses the uri of a local status: `/users/NAME/statuses/ID`, with `/activity` for a boost (decision 30). Undefined for any other uri. */
export const localStatus = (uri: string, baseUrl: string): LocalUri | undefined => {
  if (!uri.startsWith(`${baseUrl}/`)) return undefined
  const [, username, id, act] = /^\/users\/(\w+)\/statuses\/(\d+)(\/activity)?$/.exec(uri.slice(baseUrl.length)) ?? []
  return username !== undefined && id !== undefined && isId(id) ? { uri, username, id, isAct: act !== undefined } : undefined
}

/** The username in the actor uri of a local account; undefined for any other uri. */
export const localUsername = (uri: string, baseUrl: string): string | undefined =>
  uri.startsWith(`${baseUrl}/`) ? /^\/users\/(\w+)$/.exec(uri.slice(baseUrl.length))?.[1]?.toLowerCase() : undefined
