import type { SecondFactors } from '../../credentials/second-factors/index.ts'
import { PageFault, type Parameters, textOf } from '../../web/http/index.ts'
import type { Visit } from './visitor.ts'

/**
 * Re-authenticates a signed-in person by password, and by code if a second factor is on. Returns the problem; undefined if both are right.
 * @throws PageFault when the rate limit is reached
 */
export const problemOfProof = async (
  given: { secondFactors: SecondFactors },
  { frame, accountId }: Visit,
  form: Parameters,
): Promise<string | undefined> => {
  const typed = { password: textOf(form, 'current_password') ?? '', code: textOf(form, 'code') ?? '' }
  const proof = await given.secondFactors.prove(accountId, typed)
  if (proof.outcome === 'exhausted') throw new PageFault('throttled', 429, { retryAfterSeconds: proof.retryAfterSeconds })
  const { account, secondFactor } = frame.texts
  return { right: undefined, wrong: account.wrongPassword, wrongCode: secondFactor.wrong }[proof.outcome]
}
