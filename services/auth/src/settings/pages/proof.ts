import type { Logins } from '../../logins/index.ts'
import { PageFault, type Parameters, textOf } from '../../web/http/index.ts'
import type { Visit } from './visitor.ts'

/** What is wrong with the password someone gave once more; undefined when it is theirs. @throws PageFault after too many tries */
export const problemOfProof = async (
  given: { logins: Logins },
  { frame, accountId }: Visit,
  form: Parameters,
): Promise<string | undefined> => {
  const proof = await given.logins.provePassword(accountId, textOf(form, 'current_password') ?? '')
  if (proof.outcome === 'exhausted') throw new PageFault('throttled', 429, { retryAfterSeconds: proof.retryAfterSeconds })
  return proof.outcome === 'right' ? undefined : frame.texts.account.wrongPassword
}
