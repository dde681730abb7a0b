import type { RequestHandler } from 'express'
import { type Invites, LIFETIMES, MAX_GOOD_INVITES, MAX_USES, USUAL_LIFETIME, wantedInvite } from '../../accounts/invites/index.ts'
import { invitesPage, noticePage } from '../../web/html/index.ts'
import { booleanOf, callOf, PageFault, sendPage, textOf } from '../../web/http/index.ts'
import { forSignedIn, type Visit, type VisitDeps } from './visitor.ts'

type Deps = VisitDeps & { baseUrl: string; invites: Pick<Invites, 'make' | 'own' | 'end'> }

/** Invitations of an account. */
type InvitePages = {
  /** GET /auth/account/invites. */
  show: RequestHandler
  /** POST /auth/account/invites: creates an invitation. */
  submit: RequestHandler
  /** POST /auth/account/invites/end. */
  end: RequestHandler
}

const show = async (deps: Deps, { request, response, frame, accountId }: Visit, problem?: string) => {
  const invites = await deps.invites.own(callOf(response), accountId)
  const page = invitesPage(frame, {
    formToken: await deps.formTokens.issue(request, response),
    invites: invites.map((invite) => ({ ...invite, link: `${deps.baseUrl}/invite/${invite.code}` })),
    lifetimes: LIFETIMES,
    uses: MAX_USES,
    usualLifetime: USUAL_LIFETIME,
    problem,
  })
  sendPage(response, frame, page, problem ? 422 : 200)
}

const back = ({ response, frame }: Visit) => response.redirect(303, `/auth/account/invites?lang=${frame.texts.language}`)

/** Handles requests of accounts that may invite; others get a page that says so. */
const forInviters = (deps: Deps, handle: (visit: Visit) => Promise<void>): RequestHandler =>
  forSignedIn(deps, async (visit) => {
    if (visit.frame.mayInvite) return handle(visit)
    sendPage(visit.response, visit.frame, noticePage(visit.frame.texts.invites.forbidden), 403)
  })

/** The page of an account's invitations, and its forms. */
export const ownInvitePages = (deps: Deps): InvitePages => ({
  show: forInviters(deps, (visit) => show(deps, visit)),
  submit: forInviters(deps, async (visit) => {
    const form = await deps.formTokens.read(visit.request)
    const [maxUses, expiresIn] = [textOf(form, 'max_uses') ?? '', textOf(form, 'expires_in') ?? '']
    const wanted = wantedInvite({ maxUses, expiresIn, autofollow: booleanOf(form, 'autofollow') })
    if (!wanted) throw new PageFault('invalid_request', 400)
    const refused = await deps.invites.make(visit.accountId, wanted)
    if (refused?.reason === 'throttled') throw new PageFault('throttled', 429, refused)
    if (refused) return show(deps, visit, visit.frame.texts.invites.tooMany(MAX_GOOD_INVITES))
    back(visit)
  }),
  end: forInviters(deps, async (visit) => {
    const id = textOf(await deps.formTokens.read(visit.request), 'invite') ?? ''
    await deps.invites.end(visit.accountId, id)
    back(visit)
  }),
})
