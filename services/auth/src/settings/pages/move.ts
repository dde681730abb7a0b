import type { Move, MovesDefinition } from '@rookery/contracts/statuses'
import { Failure, type Violation } from '@rookery/failures'
import { isId } from '@rookery/ids'
import type { Client } from '@rookery/rpc'
import type { RequestHandler } from 'express'
import type { FederationClients } from '../../federation-clients.ts'
import type { Logins } from '../../logins/index.ts'
import { type MoveView, movePage } from '../../web/html/index.ts'
import { callOf, sendPage, textOf } from '../../web/http/index.ts'
import { proofOf } from './proof.ts'
import { forSignedIn, type Visit, type VisitDeps } from './visitor.ts'

type Deps = VisitDeps & { logins: Logins; statuses: { moves: Client<MovesDefinition> }; federation: FederationClients }

/** Moving from one account to another. */
type MovePages = {
  /** GET /auth/account/move. */
  show: RequestHandler
  /** POST /auth/account/move: needs re-authentication. */
  submit: RequestHandler
  /** POST /auth/account/move/undo: needs re-authentication. */
  undo: RequestHandler
  /** POST /auth/account/move/aliases. */
  addAlias: RequestHandler
  /** POST /auth/account/move/aliases/remove. */
  removeAlias: RequestHandler
}

type Said = Pick<MoveView, 'note' | 'problem' | 'move' | 'alias'>

const show = async (deps: Deps, { request, response, frame, accountId }: Visit, said: Said = {}) => {
  const state: Move = await deps.statuses.moves.read(callOf(response), { accountId })
  const formToken = await deps.formTokens.issue(request, response)
  const hasViolation = said.move?.violation || said.alias?.violation
  sendPage(response, frame, movePage(frame, { formToken, ...state, ...said }), said.problem ? 401 : hasViolation ? 422 : 200)
}

/** Refreshes a remote account from its server, to see whether it now names this one as an alias. If that fails, the stored data is used. */
const readAfresh = async ({ federation }: Deps, { response, accountId }: Visit, handle: string): Promise<void> => {
  const sought = { handle, askerId: accountId, isFresh: true, isImported: false }
  await federation.resolver.resolveHandle(callOf(response), sought).catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error
  })
}

/** Runs an action; returns the violation of the handle, if any. */
const violationOf = async (act: () => Promise<unknown>): Promise<Violation | undefined> => {
  try {
    await act()
    return undefined
  } catch (error) {
    if (error instanceof Failure && error.violations[0]) return error.violations[0]
    throw error
  }
}

/** The page of an account's moves, and its forms. */
export const movePages = (deps: Deps): MovePages => ({
  show: forSignedIn(deps, (visit) => show(deps, visit)),
  submit: forSignedIn(deps, async (visit) => {
    const form = await deps.formTokens.read(visit.request)
    const acct = textOf(form, 'acct') ?? ''
    const { problem, proved } = await proofOf(deps, visit, form)
    if (!proved) return show(deps, visit, { problem, move: { typed: acct } })
    const { accountId, response } = visit
    await readAfresh(deps, visit, acct)
    // Only now: the other server takes as long to answer as it likes.
    await deps.logins.ensureProved(proved)
    const violation = await violationOf(() => deps.statuses.moves.start(callOf(response), { accountId, acct }))
    await show(deps, visit, violation ? { move: { typed: acct, violation } } : { note: visit.frame.texts.move.done })
  }),
  undo: forSignedIn(deps, async (visit) => {
    const form = await deps.formTokens.read(visit.request)
    const { problem, proved } = await proofOf(deps, visit, form)
    if (!proved) return show(deps, visit, { problem })
    await deps.logins.ensureProved(proved)
    await deps.statuses.moves.undo(callOf(visit.response), { accountId: visit.accountId })
    await show(deps, visit, { note: visit.frame.texts.move.undone })
  }),
  addAlias: forSignedIn(deps, async (visit) => {
    const { accountId, response } = visit
    const acct = textOf(await deps.formTokens.read(visit.request), 'alias') ?? ''
    await readAfresh(deps, visit, acct)
    const violation = await violationOf(() => deps.statuses.moves.addAlias(callOf(response), { accountId, acct }))
    await show(deps, visit, violation ? { alias: { typed: acct, violation } } : { note: visit.frame.texts.move.aliasAdded })
  }),
  removeAlias: forSignedIn(deps, async (visit) => {
    const { accountId, response, frame } = visit
    const aliasId = textOf(await deps.formTokens.read(visit.request), 'alias_id') ?? ''
    if (isId(aliasId)) await deps.statuses.moves.removeAlias(callOf(response), { accountId, aliasId })
    await show(deps, visit, { note: frame.texts.move.aliasRemoved })
  }),
})
