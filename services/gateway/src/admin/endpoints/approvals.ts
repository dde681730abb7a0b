import { PAGE_SIZES } from '@rookery/contracts/limits'
import { PERMISSIONS } from '@rookery/contracts/permissions'
import { Failure, invalid } from '@rookery/failures'
import { isId } from '@rookery/ids'
import type { Call } from '@rookery/rpc'
import type { Clients } from '../../clients.ts'
import { Staff } from '../../http/access.ts'
import { endpoint } from '../../http/endpoint.ts'
import { form, paging, text, textList } from '../../http/fields.ts'
import { listedAccounts, NO_FILTER } from '../../staff-accounts.ts'

// Decides pending sign-ups, many at once. The client API decides one by one, so these are on no public route.

const PATH = '/admin/approvals'

/** Filters of sign-ups: by the domain of the e-mail address, and by network. */
const origin = { email_domain: text(), ip: text() }

export const listPending = endpoint({
  method: 'GET',
  path: PATH,
  access: Staff(PERMISSIONS.manageUsers, 'admin:read:accounts'),
  summary: 'People who wait to be let in, latest first; those of a mail domain or a network.',
  input: form({ ...origin, ...paging(PAGE_SIZES.staff) }),
  handle: ({ call, input }, clients) => {
    const filter = { isPending: true, emailDomain: input.email_domain ?? '', address: input.ip ?? '' }
    return listedAccounts(call, input, filter, clients)
  },
})

/** Maximum sign-ups per form, and how many are decided concurrently: each takes a transaction or two. */
const MAX_DECIDED = 1000
const AT_ONCE = 4
const PAGE = PAGE_SIZES.staff.max
/** No decision is started when less than this is left of the request's deadline, in milliseconds. */
const MARGIN = 3000

type Act = { call: Call; staffId: string; action: 'approve' | 'reject' }

/** Someone else decided meanwhile, or this person may not. */
const isSkipped = (error: unknown) => error instanceof Failure && (error.kind === 'not_found' || error.kind === 'forbidden')

/** Decides these sign-ups, as far as the deadline allows; returns how many were decided. */
const decideAll = async (ids: readonly string[], { call, staffId, action }: Act, { staffAccounts }: Clients): Promise<number> => {
  let decided = 0
  const waiting = [...ids]
  const work = async () => {
    for (let id = waiting.shift(); id !== undefined && Date.now() < call.deadline - MARGIN; id = waiting.shift()) {
      const act = { accountId: id, staffId, action, text: '', reportId: '', sendsMail: true }
      try {
        await staffAccounts.act(call, act)
        decided++
      } catch (error) {
        if (!isSkipped(error)) throw error
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return decided
}

/** The ids of a page of pending sign-ups from a domain or network. */
const pendingFrom = async (call: Call, from: { emailDomain: string; address: string; maxId: string | undefined }, clients: Clients) => {
  const { maxId, ...filter } = from
  const page = { maxId, sinceId: undefined, minId: undefined, limit: PAGE }
  return (await clients.staffAccounts.listAccounts(call, { ...NO_FILTER, ...filter, isPending: true, page })).accounts.map(({ id }) => id)
}

export const decideSignUps = endpoint({
  method: 'POST',
  path: PATH,
  access: Staff(PERMISSIONS.manageUsers, 'admin:write:accounts'),
  summary: 'Approves or rejects several sign-ups: those that are named, or all of a mail domain or a network.',
  input: form({ ...origin, account_ids: textList(), decision: text() }),
  handle: async ({ call, input, viewerId }, clients) => {
    const { decision: action } = input
    if (action !== 'approve' && action !== 'reject') throw invalid('Decision is not included in the list')
    const act: Act = { call, staffId: viewerId, action }
    const from = { emailDomain: input.email_domain ?? '', address: input.ip ?? '' }
    if (!from.emailDomain && !from.address) {
      const ids = [...new Set(input.account_ids.filter(isId))].slice(0, MAX_DECIDED)
      if (ids.length === 0) throw invalid("Account ids can't be blank")
      return { decided: await decideAll(ids, act, clients) }
    }
    let decided = 0
    let maxId: string | undefined
    for (let seen = 0; seen < MAX_DECIDED && Date.now() < call.deadline - MARGIN; seen += PAGE) {
      const ids = await pendingFrom(call, { ...from, maxId }, clients)
      decided += await decideAll(ids, act, clients)
      if (ids.length < PAGE) break
      maxId = ids.at(-1)
    }
    return { decided }
  },
})
