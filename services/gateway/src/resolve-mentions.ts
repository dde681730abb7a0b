import { mentionsIn } from '@rookery/markup'
import type { Call } from '@rookery/rpc'
import type { Clients } from './clients.ts'
import { resolveQuery } from './resolve-query.ts'

/** Handles of other servers that are looked for in one text, and how long writing waits for them, in milliseconds. */
const MAX_HANDLES = 5
const MAX_WAIT = 3000

/** The handles of people of other servers that a text names, each once, the first few. */
export const handlesElsewhere = (text: string, baseUrl: string): string[] => {
  const own = new URL(baseUrl).host
  const named = mentionsIn(text).flatMap(({ username, domain }) => (domain && domain !== own ? [`${username}@${domain}`] : []))
  return named.slice(0, MAX_HANDLES)
}

/**
 * Has the people of other servers whom a text mentions known here, as far as their servers say so within three seconds: those who stay unknown
 * stay text. One call for each handle, and another for each that is not known. None when the text names no one elsewhere.
 */
export const resolveMentions = async (
  call: Call,
  { text, viewerId }: { text: string; viewerId: string },
  clients: Clients,
): Promise<void> => {
  const waiting = { ...call, deadline: Math.min(call.deadline, Date.now() + MAX_WAIT) }
  const handles = handlesElsewhere(text, clients.config.baseUrl)
  await Promise.all(handles.map((handle) => resolveQuery(waiting, { text: handle, viewerId }, clients)))
}
