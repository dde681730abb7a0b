import type { Registrations } from '../../accounts/registrations/index.ts'
import type { Passwords } from '../../credentials/passwords/index.ts'
import { changePasswordPage, noticePage, signInLink } from '../../web/html/index.ts'
import { sendPage, textOf } from '../../web/http/index.ts'
import { proofOf } from './proof.ts'
import { forSignedIn, type Pages, type VisitDeps } from './visitor.ts'

type Deps = VisitDeps & { passwords: Passwords; registrations: Registrations }

/** GET and POST /auth/account/password. */
export const changePasswordPages = (deps: Deps): Pages => ({
  show: forSignedIn(deps, async ({ request, response, frame }) => {
    const formToken = await deps.formTokens.issue(request, response)
    sendPage(response, frame, changePasswordPage(frame, { formToken }))
  }),
  submit: forSignedIn(deps, async (visit) => {
    const { request, response, frame } = visit
    const form = await deps.formTokens.read(request)
    const password = textOf(form, 'password') ?? ''
    const { problem, proved } = await proofOf(deps, visit, form)
    const [violation] = deps.registrations.violationsOfPassword(password)
    if (!proved || violation) {
      const formToken = await deps.formTokens.issue(request, response)
      return sendPage(response, frame, changePasswordPage(frame, { formToken, problem, violation }), problem ? 401 : 422)
    }
    await deps.passwords.change(proved, password)
    sendPage(response, frame, noticePage(frame.texts.reset.done, signInLink(frame.texts)))
  }),
})
