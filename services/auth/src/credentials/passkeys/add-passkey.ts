import { transact } from '@rookery/database'
import type { Proved } from '../../logins/index.ts'
import type { CreatedAnswer } from './answer.rules.ts'
import { type Challenge, type PasskeyDeps, takeChallenge } from './challenge.ts'
import { PasskeyWriter } from './passkey.store.ts'
import { verifyCreated } from './verify-created.ts'

/** The maximum number of passkeys of an account. */
export const MAX_PASSKEYS = 20
const MAX_NAME_LENGTH = 50

/**
 * Adds a passkey created by a browser; false if the response does not match the challenge, the passkey exists or the maximum is reached.
 * @throws Failure conflict as `holdProved`
 */
export const addPasskey =
  (deps: PasskeyDeps) =>
  async (proved: Proved, given: { answer: CreatedAnswer; challenge: Challenge; name: string }): Promise<boolean> => {
    const credential = await verifyCreated(deps.relyingParty, given.answer, given.challenge.text)
    if (!credential) return false
    return transact(deps.database.db, async (tx) => {
      const writer = new PasskeyWriter(tx)
      const { accountId, ...login } = await deps.logins.holdProved(tx, proved)
      if ((await writer.list(accountId)).length >= MAX_PASSKEYS || !(await takeChallenge(tx, given.challenge))) return false
      const isNew = await writer.add({
        credentialId: Buffer.from(credential.id, 'base64url'),
        accountId,
        publicKey: Buffer.from(credential.publicKey),
        signCount: credential.counter,
        transports: given.answer.response.transports,
        name: given.name.trim().slice(0, MAX_NAME_LENGTH),
        createdAt: new Date(deps.clock.now()),
        lastUsedAt: null,
      })
      if (isNew) await deps.securityEmails.send(tx, { to: login.email, locale: login.locale, kind: 'passkeyAdded' })
      return isNew
    })
  }
