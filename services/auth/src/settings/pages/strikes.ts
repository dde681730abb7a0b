import type { AccountsDefinition, StaffReportsDefinition, StaffStatusesDefinition } from '@rookery/contracts/statuses'
import { Failure, notFound } from '@rookery/failures'
import { isId } from '@rookery/ids'
import type { Client } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { RequestHandler } from 'express'
import { type AccountActs, isOpenToAppeal, type Strike, strikePath } from '../../moderation/index.ts'
import { strikePage, strikesPage } from '../../web/html/index.ts'
import { callOf, sendPage, textOf } from '../../web/http/index.ts'
import { appealableOf, viewOf } from '../sign-up/index.ts'
import { forSignedIn, type Visit, type VisitDeps } from './visitor.ts'

type Deps = VisitDeps & {
  acts: Pick<AccountActs, 'strikes'>
  clock: Clock
  statuses: {
    accounts: Client<AccountsDefinition>
    staffReports: Client<StaffReportsDefinition>
    staffStatuses: Client<StaffStatusesDefinition>
  }
}

/** An account's strikes and appeals. */
type StrikePages = {
  /** GET /disputes/strikes. */
  list: RequestHandler
  /** GET /disputes/strikes/:id. */
  show: RequestHandler
  /** POST /disputes/strikes/:id: appeals a strike. */
  submit: RequestHandler
}

const orNone = (error: unknown) => {
  if (error instanceof Failure && error.kind === 'not_found') return undefined
  throw error
}

/** The statuses of an act, else those of the report that it resolved. */
const statusIdsOf = async ({ statuses }: Deps, { response }: Visit, { target, reportId }: Strike): Promise<readonly string[]> => {
  const chosen = target.split(' ').filter(isId)
  if (chosen.length > 0 || !reportId) return chosen
  const page = await statuses.staffReports.read(callOf(response), { id: reportId }).catch(orNone)
  return page?.reports[0]?.report?.statusIds ?? []
}

/** The account's own statuses that an act was about and that still exist. */
const postsOf = async (deps: Deps, visit: Visit, strike: Strike) => {
  const statusIds = await statusIdsOf(deps, visit, strike)
  if (statusIds.length === 0) return { posts: [], hasPosts: false }
  const call = callOf(visit.response)
  const [{ authors }, { accounts }] = await Promise.all([
    deps.statuses.staffStatuses.readAuthors(call, { statusIds: [...statusIds] }),
    deps.statuses.accounts.readUsernames(call, { ids: [visit.accountId] }),
  ])
  const username = accounts[0]?.username ?? ''
  const own = authors.filter(({ accountId }) => accountId === visit.accountId)
  return { posts: own.map(({ statusId }) => ({ path: `/@${username}/${statusId}`, name: `@${username}/${statusId}` })), hasPosts: true }
}

const idOf = ({ request }: Visit): string => {
  const id = String(request.params['id'])
  if (!isId(id)) throw notFound(`${id} is no id`)
  return id
}

const show = async (deps: Deps, visit: Visit, again: { typed?: string; error?: string } = {}) => {
  const { request, response, frame, accountId } = visit
  const strike = await deps.acts.strikes.read(accountId, idOf(visit))
  const posts = await postsOf(deps, visit, strike)
  const isOpen = isOpenToAppeal(strike, deps.clock.now())
  const form = isOpen && { action: strikePath(strike.id), formToken: await deps.formTokens.issue(request, response), ...again }
  const page = strikePage(frame, { ...appealableOf(strike, form || undefined), ...posts })
  sendPage(response, frame, page, again.error ? 422 : 200)
}

/** The pages of an account's strikes and appeals. */
export const strikePages = (deps: Deps): StrikePages => ({
  list: forSignedIn(deps, async ({ response, frame, accountId }) => {
    const strikes = await deps.acts.strikes.of(accountId)
    sendPage(response, frame, strikesPage(frame, strikes.map(viewOf)))
  }),
  show: forSignedIn(deps, (visit) => show(deps, visit)),
  submit: forSignedIn(deps, async (visit) => {
    const { frame, accountId, response } = visit
    const typed = textOf(await deps.formTokens.read(visit.request), 'text') ?? ''
    const id = idOf(visit)
    const fault = await deps.acts.strikes.appeal(accountId, id, typed)
    if (fault) return show(deps, visit, { typed, error: frame.texts.violations.any[fault] ?? fault })
    response.redirect(303, `${strikePath(id)}?lang=${frame.texts.language}`)
  }),
})
