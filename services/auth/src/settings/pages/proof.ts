import type { SecondFactors } from '../../credentials/second-factors/index.ts'
import type { Proved } from '../../logins/index.ts'
import { PageFault, type Parameters, textOf } from '../../web/http/index.ts'
import type { Visit } from './visitor.ts'

type Proof = { proved: Proved; problem?: undefined } | { proved?: undefined; problem: string }

/**
 * Re-authenticates a signed-in person by password, and by code if a second factor is on. Returns the login that was proved, or the problem.
 * @throws PageFault when the rate limit is reached
 */
export const proofOf = async (given: { secondFactors: SecondFactors }, { frame, accountId }: Visit, form: Parameters): Promise<Proof> => {
  const typed = { password: textOf(form, 'current_password') ?? '', code: textOf(form, 'code') ?? '' }
  const proof = await given.secondFactors.prove(accountId, typed)
  if (proof.outcome === 'exhausted') throw new PageFault('throttled', 429, { retryAfterSeconds: proof.retryAfterSeconds })
  const { account, secondFactor } = frame.texts
  if (proof.outcome === 'right') return { proved: proof.proved }
  return { problem: { wrong: account.wrongPassword, wrongCode: secondFactor.wrong }[proof.outcome] }
}
