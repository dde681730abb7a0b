import type { AccountsDefinition } from '@rookery/contracts/statuses'
import type { Client } from '@rookery/rpc'
import type { Request, RequestHandler, Response } from 'express'
import { type Invites, isInviteFault } from '../../accounts/invites/index.ts'
import { type Frame, noticePage, signInLink, signUpLink } from '../../web/html/index.ts'
import { addressOf, callOf, sendPage } from '../../web/http/index.ts'
import type { SignUp } from './sign-up.ts'

type Deps = {
  invites: Pick<Invites, 'find'>
  signUp: SignUp
  statuses: { accounts: Client<AccountsDefinition> }
  maySignUp: boolean
  frameOf: (request: Request) => Frame
}

type Visit = { request: Request; response: Response; frame: Frame; code: string }

const visitOf = (deps: Deps, request: Request, response: Response): Visit => ({
  request,
  response,
  frame: deps.frameOf(request),
  code: String(request.params['code']),
})

/** One page for ended and unknown invitations. */
const sendBad = ({ maySignUp }: Deps, { response, frame }: Visit) => {
  const { texts } = frame
  sendPage(response, frame, noticePage(texts.invites.bad, maySignUp ? signUpLink(texts) : signInLink(texts)), 404)
}

const find = ({ invites }: Deps, { request, code }: Visit) => invites.find({ code, address: addressOf(request) })

/** The inviter's username; if statuses is unreachable, the page does without. */
const inviterOf = async (deps: Deps, visit: Visit): Promise<string | undefined> => {
  const invite = await find(deps, visit)
  const ids = invite ? [invite.accountId] : []
  const named = await deps.statuses.accounts.readUsernames(callOf(visit.response), { ids }).catch(() => undefined)
  return named?.accounts[0]?.username
}

const placeOf = (deps: Deps, visit: Visit): Parameters<SignUp['show']>[2] => {
  const { response, frame, code } = visit
  const { language } = frame.texts
  return {
    frame,
    action: `/invite/${encodeURIComponent(code)}?lang=${language}`,
    signInPath: `/auth/sign_in?lang=${language}`,
    invite: { code, inviter: () => inviterOf(deps, visit) },
    welcome: () => sendPage(response, frame, noticePage(frame.texts.ready, signInLink(frame.texts))),
  }
}

/** GET and POST /invite/:code: sign-up by invitation. */
export const invitePages = (deps: Deps): { show: RequestHandler; submit: RequestHandler } => ({
  show: async (request, response) => {
    const visit = visitOf(deps, request, response)
    if (!(await find(deps, visit))) return sendBad(deps, visit)
    await deps.signUp.show(request, response, placeOf(deps, visit))
  },
  submit: async (request, response) => {
    const visit = visitOf(deps, request, response)
    try {
      await deps.signUp.submit(request, response, placeOf(deps, visit))
    } catch (error) {
      if (!isInviteFault(error)) throw error
      sendBad(deps, visit)
    }
  },
})
