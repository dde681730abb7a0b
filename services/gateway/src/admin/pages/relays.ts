import type { Relay } from '@rookery/contracts/federation'
import { addRelay, listRelays, removeRelay } from '../endpoints/relays.ts'
import { timePart } from '../parts.ts'
import type { Visit } from '../visit.ts'
import { recordPage } from './record-page.ts'

const stateOf = (state: string, { texts }: Visit): string => {
  const { states } = texts.relays
  return Object.hasOwn(states, state) ? states[state as keyof typeof states] : state
}

/** GET /admin/domains/relays: relays, and what they answered. */
export const relaysPage = recordPage<Relay>({
  path: '/admin/domains/relays',
  section: 'domains',
  tab: 'relays',
  title: (texts) => texts.tabs.relays,
  lead: (texts) => texts.relays.lead,
  list: listRelays,
  create: addRelay,
  remove: removeRelay,
  fields: ({ texts }) => [{ name: 'inbox', label: texts.relays.inbox, hint: texts.relays.inboxHint }],
  record: ({ inbox, state, createdAtMilliseconds }, visit) => ({
    title: inbox,
    marks: [stateOf(state, visit)],
    facts: [timePart(visit, createdAtMilliseconds)],
  }),
})
