import type { AccountsDefinition } from '@rookery/contracts/statuses'
import type { Client } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import { createdAnswer, type Passkeys } from '../../credentials/passkeys/index.ts'
import { addPasskeyPage, passkeysPage, removePasskeyPage } from '../../web/html/index.ts'
import { allowPasskeys, callOf, PageFault, type Parameters, queryOf, sendPage, type Tickets, textOf } from '../../web/http/index.ts'
import { proofOf } from './proof.ts'
import { forSignedIn, type Pages, type Visit, type VisitDeps } from './visitor.ts'

/** How long a challenge for creating a passkey is valid, in milliseconds. */
const CHALLENGE_LIVES = 30 * 60_000

type Deps = VisitDeps & {
  passkeys: Passkeys
  passkeyTickets: Tickets
  clock: Clock
  baseUrl: string
  statuses: { accounts: Client<AccountsDefinition> }
}

const show = async (deps: Deps, { response, frame, accountId }: Visit, note?: string) => {
  const known = await deps.passkeys.list(accountId)
  const listed = known.map((passkey) => ({ ...passkey, id: passkey.credentialId.toString('base64url') }))
  sendPage(response, frame, passkeysPage(frame, { passkeys: listed, mayAdd: deps.passkeys.mayAdd(known), note }))
}

const nameOf = async ({ statuses }: Deps, { response, frame, accountId }: Visit): Promise<string> => {
  const named = await statuses.accounts.readUsernames(callOf(response), { ids: [accountId] }).catch(() => undefined)
  return named?.accounts[0]?.username ?? frame.host
}

const ask = async (deps: Deps, visit: Visit, wrong?: { problem: string; status: number; name: string }) => {
  const { request, response, frame, accountId } = visit
  const [known, name] = await Promise.all([deps.passkeys.list(accountId), nameOf(deps, visit)])
  const challenge = deps.passkeys.makeChallenge()
  const question = {
    action: `/auth/account/passkeys/new?lang=${frame.texts.language}`,
    formToken: await deps.formTokens.issue(request, response),
    options: deps.passkeys.creationOptions({ accountId, name, challenge, known }),
    ticket: await deps.passkeyTickets.seal(`create:${accountId}:${challenge}`, deps.clock.now() + CHALLENGE_LIVES),
  }
  const view = { question, name: wrong?.name ?? '', problem: wrong?.problem, userAgent: request.get('user-agent') ?? '' }
  allowPasskeys(response, new URL(deps.baseUrl).origin)
  sendPage(response, frame, addPasskeyPage(frame, view), wrong?.status)
}

const add = async (deps: Deps, visit: Visit) => {
  const { request, frame, accountId } = visit
  const { passkeys } = frame.texts
  const form = await deps.formTokens.read(request)
  const name = (textOf(form, 'name') ?? '').trim() || passkeys.unnamed
  const wrong = (problem: string, status: number) => ask(deps, visit, { problem, status, name })
  const [purpose, owner, text] = (await deps.passkeyTickets.open(textOf(form, 'passkey_ticket') ?? '', deps.clock.now()))?.split(':') ?? []
  const answer = createdAnswer(textOf(form, 'credential') ?? '')
  if (purpose !== 'create' || owner !== accountId || !text || !answer) return wrong(passkeys.failed, 422)
  const { problem, proved } = await proofOf(deps, visit, form)
  if (!proved) return wrong(problem, 401)
  const challenge = { text, expiresAt: new Date(deps.clock.now() + CHALLENGE_LIVES) }
  if (!(await deps.passkeys.add(proved, { answer, challenge, name }))) return wrong(passkeys.failed, 422)
  await show(deps, visit, passkeys.added)
}

/** The account's passkey that a request names. @throws PageFault if it has no such passkey */
const named = async (deps: Deps, { accountId }: Visit, parameters: Parameters) => {
  const id = textOf(parameters, 'passkey')
  const known = await deps.passkeys.list(accountId)
  const found = known.find(({ credentialId }) => credentialId.toString('base64url') === id)
  if (!found || !id) throw new PageFault('not_found', 404)
  return { ...found, id }
}

const askToRemove = async (deps: Deps, visit: Visit, passkey: { id: string; name: string }, problem?: string) => {
  const { request, response, frame } = visit
  const formToken = await deps.formTokens.issue(request, response)
  sendPage(response, frame, removePasskeyPage(frame, { ...passkey, formToken, problem }), problem ? 401 : 200)
}

/** GET /auth/account/passkeys; GET and POST /auth/account/passkeys/new and /remove. Changes need re-authentication. */
export const passkeyPages = (deps: Deps): { list: Pick<Pages, 'show'>; add: Pages; remove: Pages } => {
  const where = (handle: (visit: Visit) => Promise<void>) =>
    forSignedIn(deps, async (visit) => {
      if (!deps.passkeys.isPossible) throw new PageFault('not_found', 404)
      await handle(visit)
    })
  return {
    list: { show: where((visit) => show(deps, visit)) },
    add: { show: where((visit) => ask(deps, visit)), submit: where((visit) => add(deps, visit)) },
    remove: {
      show: where(async (visit) => askToRemove(deps, visit, await named(deps, visit, queryOf(visit.request)))),
      submit: where(async (visit) => {
        const form = await deps.formTokens.read(visit.request)
        const passkey = await named(deps, visit, form)
        const { problem, proved } = await proofOf(deps, visit, form)
        if (!proved) return askToRemove(deps, visit, passkey, problem)
        await deps.passkeys.remove(proved, passkey.credentialId)
        await show(deps, visit, visit.frame.texts.passkeys.removed)
      }),
    },
  }
}
