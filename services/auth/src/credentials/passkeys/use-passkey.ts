import { transact } from '@rookery/database'
import type { Proved } from '../../logins/index.ts'
import type { UsedAnswer } from './answer.rules.ts'
import { type Challenge, type PasskeyDeps, takeChallenge } from './challenge.ts'
import { type Passkey, PasskeyReader, PasskeyWriter } from './passkey.store.ts'

/** Requirements of a passkey: the owner, if known; and whether the authenticator must have verified the user (by PIN or biometrics). */
type Demand = { accountId?: string | undefined; isVerified: boolean }

const countOf = async (deps: PasskeyDeps, passkey: Passkey, given: { answer: UsedAnswer; challenge: string; isVerified: boolean }) => {
  const { id, origin } = deps.relyingParty
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: given.answer as never,
      expectedChallenge: given.challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: given.isVerified,
      credential: { id: given.answer.id, publicKey: new Uint8Array(passkey.publicKey), counter: passkey.signCount },
    })
    return verified ? authenticationInfo.newCounter : undefined
  } catch {
    // The library throws for any invalid response.
    return undefined
  }
}

/** Whether the user handle is that of the owner, if there is one (WebAuthn, 7.2, step 6). */
const isOf = ({ accountId }: Passkey, { response: { userHandle } }: UsedAnswer): boolean =>
  userHandle === '' || Buffer.from(userHandle, 'base64url').toString() === accountId

/** Verifies a response to a challenge and returns the owner's login as of then; undefined for an invalid response or an answered challenge. */
export const usePasskey =
  (deps: PasskeyDeps) =>
  async (given: { answer: UsedAnswer; challenge: Challenge }, demand: Demand): Promise<Proved | undefined> => {
    const credentialId = Buffer.from(given.answer.id, 'base64url')
    const passkey = await new PasskeyReader(deps.database.db).find(credentialId)
    if (!passkey || !isOf(passkey, given.answer) || (demand.accountId !== undefined && demand.accountId !== passkey.accountId))
      return undefined
    const checked = { answer: given.answer, challenge: given.challenge.text, isVerified: demand.isVerified }
    const signCount = await countOf(deps, passkey, checked)
    if (signCount === undefined) return undefined
    return transact(deps.database.db, async (tx) => {
      if (!(await takeChallenge(tx, given.challenge))) return undefined
      return new PasskeyWriter(tx).use(credentialId, { signCount, at: new Date(deps.clock.now()) })
    })
  }
