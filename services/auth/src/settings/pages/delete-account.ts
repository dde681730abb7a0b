import { Failure } from '@rookery/failures'
import type { AccountDeletions } from '../../accounts/deletions/index.ts'
import { refuseOutdated } from '../../logins/index.ts'
import { deleteAccountPage, noticePage } from '../../web/html/index.ts'
import { sendPage } from '../../web/http/index.ts'
import { proofOf } from './proof.ts'
import { forSignedIn, type Pages, type Visit, type VisitDeps } from './visitor.ts'

type Deps = VisitDeps & { deletions: AccountDeletions }

const ask = async (deps: Deps, { request, response, frame }: Visit, wrong?: { problem: string; status: number }) => {
  const formToken = await deps.formTokens.issue(request, response)
  sendPage(response, frame, deleteAccountPage(frame, { formToken, problem: wrong?.problem }), wrong?.status)
}

/**
 * GET and POST /auth/account/delete: deletes the account irrevocably, after re-authentication. The last owner must first appoint another.
 */
export const deleteAccountPages = (deps: Deps): Pages => ({
  show: forSignedIn(deps, (visit) => ask(deps, visit)),
  submit: forSignedIn(deps, async (visit) => {
    const { request, response, frame, accountId } = visit
    const form = await deps.formTokens.read(request)
    const { problem, proved } = await proofOf(deps, visit, form)
    if (!proved) return ask(deps, visit, { problem, status: 401 })
    try {
      await deps.deletions.close(accountId, { judge: (login) => refuseOutdated(login, proved) })
    } catch (error) {
      if (!(error instanceof Failure) || error.kind !== 'forbidden') throw error
      return ask(deps, visit, { problem: frame.texts.deleteAccount.lastOwner, status: 403 })
    }
    sendPage(response, frame, noticePage(frame.texts.deleteAccount.done))
  }),
})
