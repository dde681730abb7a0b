import { mentionsIn } from '@rookery/markup'
import type { Call } from '@rookery/rpc'
import type { Clients } from './clients.ts'
import { resolveQuery } from './resolve-query.ts'

/** Maximum handles of other servers looked up per text, and how long the request waits for them, in milliseconds. */
const MAX_HANDLES = 5
const MAX_WAIT = 3000

/** The handles of people of other servers in a text, each once, up to the maximum. */
export const handlesElsewhere = (text: string, baseUrl: string): string[] => {
  const own = new URL(baseUrl).host
  const named = mentionsIn(text).flatMap(({ username, domain }) => (domain && domain !== own ? [`${username}@${domain}`] : []))
  return named.slice(0, MAX_HANDLES)
}

/**
 * Looks up the people of other servers whom a text mentions, within three seconds; those that stay unknown are plain text. One call for
 * each handle, and another for each unknown one. None if the text mentions no one elsewhere.
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
