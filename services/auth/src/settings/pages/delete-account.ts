import type { AccountDeletions } from '../../accounts/deletions/index.ts'
import { deleteAccountPage, noticePage } from '../../web/html/index.ts'
import { sendPage } from '../../web/http/index.ts'
import { problemOfProof } from './proof.ts'
import { forSignedIn, type Pages, type VisitDeps } from './visitor.ts'

type Deps = VisitDeps & { deletions: AccountDeletions }

/** GET and POST /auth/account/delete: takes the password once more, and then there is no way back. */
export const deleteAccountPages = (deps: Deps): Pages => ({
  show: forSignedIn(deps, async ({ request, response, frame }) => {
    const formToken = await deps.formTokens.issue(request, response)
    sendPage(response, frame, deleteAccountPage(frame, { formToken }))
  }),
  submit: forSignedIn(deps, async (visit) => {
    const { request, response, frame, accountId } = visit
    const form = await deps.formTokens.read(request)
    const problem = await problemOfProof(deps, visit, form)
    if (problem !== undefined) {
      const formToken = await deps.formTokens.issue(request, response)
      return sendPage(response, frame, deleteAccountPage(frame, { formToken, problem }), 401)
    }
    await deps.deletions.close(accountId)
    sendPage(response, frame, noticePage(frame.texts.deleteAccount.done))
  }),
})
