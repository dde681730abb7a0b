import type { FederationPeer, RefreshedActor, WaitingDelivery } from '@rookery/contracts/federation'
import { type Html, html } from '@rookery/pages'
import { dropDeliveries, listDeliveries, listServers, purgeDomain, refreshPerson, retryServer } from '../endpoints/servers.ts'
import type { AdminPage } from '../page.ts'
import { actPart, filterPart, formPart, numberOf, type RecordParts, recordsPart, timePart } from '../parts.ts'
import { read, type Visit } from '../visit.ts'

const PATH = '/admin/domains/servers'
const DELIVERIES = '/admin/domains/servers/deliveries'
/** The page size of federation. */
const PAGE = 200

const serverRecord = (peer: FederationPeer, visit: Visit): RecordParts => {
  const { servers } = visit.texts
  const { domain, waiting, failures, failingSinceMilliseconds: since, nextTryAtMilliseconds: next } = peer
  const values = { domain }
  return {
    title: domain,
    href: `${DELIVERIES}?${new URLSearchParams({ domain })}`,
    marks: [since !== undefined && servers.fails],
    facts: [
      waiting > 0 && servers.waiting(numberOf(visit, waiting)),
      since !== undefined && html`${servers.since} ${timePart(visit, since)} · ${servers.attempts(numberOf(visit, failures))}`,
      next !== undefined && html`${servers.next} ${timePart(visit, next)}`,
    ],
    acts: [
      waiting > 0 && actPart(visit, { form: 'retry', label: servers.retry, values }),
      waiting > 0 && actPart(visit, { form: 'drop', label: servers.drop, kind: 'danger', values, about: domain }),
      actPart(visit, { form: 'purge', label: servers.purge, kind: 'danger', values, about: domain }),
    ],
  }
}

/** The link to the next servers. */
const morePart = ({ query, texts }: Visit, peers: readonly FederationPeer[]): Html | undefined => {
  const last = peers.at(-1)
  if (!last || peers.length < PAGE) return undefined
  const parameters = new URLSearchParams(query)
  parameters.delete('done')
  parameters.set('after', last.domain)
  return html`<nav class="pager" aria-label="${texts.pager.label}"><a href="${PATH}?${String(parameters)}" rel="next">${texts.servers.more}</a></nav>`
}

/** GET /admin/domains/servers: other servers, their delivery backlogs, and since when deliveries fail. */
export const serversPage: AdminPage = {
  path: PATH,
  section: 'domains',
  tab: 'servers',
  access: listServers.access,
  async read(visit) {
    const { texts, query } = visit
    const { servers } = texts
    const chosen = Object.fromEntries(['after', 'begins_with', 'failing'].map((name) => [name, query.get(name) ?? '']))
    const peers = await read<FederationPeer[]>(visit, listServers, chosen)
    const filter = filterPart(
      visit,
      [
        { name: 'begins_with', label: servers.beginsWith, kind: 'search' },
        {
          name: 'failing',
          label: servers.state,
          kind: 'choice',
          options: [
            ['', texts.any],
            ['true', servers.fails],
          ],
        },
      ],
      texts.filter,
    )
    const records = peers.map((peer) => serverRecord(peer, visit))
    const address = { name: 'address', label: servers.person, hint: servers.personHint }
    return {
      title: texts.tabs.servers,
      lead: servers.lead,
      body: html`${filter}
<div class="many">${actPart(visit, { form: 'retry', label: servers.retryAll })}</div>
${recordsPart(records, texts.none)}${morePart(visit, peers)}
${formPart(visit, { form: 'refresh', fields: [address], buttons: [{ label: servers.refresh }] })}`,
    }
  },
  forms: {
    retry: { endpoint: retryServer, done: 'askedAgain' },
    drop: { endpoint: dropDeliveries, done: 'dropped', final: () => 'dropDeliveries', isDangerous: () => true },
    purge: { endpoint: purgeDomain, done: 'purging', final: () => 'purgeServer', isDangerous: () => true },
    refresh: {
      endpoint: refreshPerson,
      done: 'refreshed',
      names: 'address',
      next: (_visit, { body }) => `/admin/accounts/${(body as RefreshedActor).accountId}`,
    },
  },
}

const deliveryRecord = ({ activityId, inbox, attempts, createdAtMilliseconds }: WaitingDelivery, visit: Visit): RecordParts => ({
  title: activityId,
  facts: [inbox, timePart(visit, createdAtMilliseconds), attempts > 0 && visit.texts.servers.attempts(numberOf(visit, attempts))],
})

/** GET /admin/domains/servers/deliveries: pending deliveries. */
export const deliveriesPage: AdminPage = {
  path: DELIVERIES,
  section: 'domains',
  tab: 'deliveries',
  access: listDeliveries.access,
  async read(visit) {
    const { texts, query } = visit
    const deliveries = await read<WaitingDelivery[]>(visit, listDeliveries, { domain: query.get('domain') ?? '' })
    return {
      title: texts.tabs.deliveries,
      lead: texts.servers.deliveriesLead,
      body: html`${filterPart(visit, [{ name: 'domain', label: texts.domains.domain, kind: 'search' }], texts.filter)}
${recordsPart(
  deliveries.map((delivery) => deliveryRecord(delivery, visit)),
  texts.none,
)}`,
    }
  },
}
