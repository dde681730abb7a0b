import type { Relay } from '@rookery/contracts/federation'
import { addRelay, listRelays, removeRelay } from '../endpoints/relays.ts'
import { timePart } from '../parts.ts'
import { wordFor } from '../texts/index.ts'
import { recordPage } from './record-page.ts'

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
    marks: [wordFor(visit.texts.relays.states, state)],
    facts: [timePart(visit, createdAtMilliseconds)],
  }),
})
