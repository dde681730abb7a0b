import { transact } from '@rookery/database'
import type { CreatedAnswer } from './answer.rules.ts'
import { type Challenge, type PasskeyDeps, takeChallenge } from './challenge.ts'
import { PasskeyWriter } from './passkey.store.ts'

/** The maximum number of passkeys of an account. */
export const MAX_PASSKEYS = 20
const MAX_NAME_LENGTH = 50

/**
 * Whether the attestation has no certificates. None is requested, since it would not be used; certificates are refused, because to verify
 * them the library would fetch URLs named in them.
 */
const saysNothingOfItself = async (attestationObject: string): Promise<boolean> => {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  const decoded = decodeAttestationObject(Buffer.from(attestationObject, 'base64url'))
  const format = decoded.get('fmt')
  return format === 'none' || (format === 'packed' && decoded.get('attStmt').get('x5c') === undefined)
}

const verified = async ({ relyingParty: { id, origin } }: PasskeyDeps, answer: CreatedAnswer, challenge: string) => {
  try {
    if (!(await saysNothingOfItself(answer.response.attestationObject))) return undefined
    const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
    const { registrationInfo } = await verifyRegistrationResponse({
      response: answer as never,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: false,
    })
    return registrationInfo?.credential
  } catch {
    // The library throws for any invalid response.
    return undefined
  }
}

/**
 * Adds a passkey created by a browser; false if the response does not match the challenge, the passkey exists or the maximum is reached.
 */
export const addPasskey =
  (deps: PasskeyDeps) =>
  async (accountId: string, given: { answer: CreatedAnswer; challenge: Challenge; name: string }): Promise<boolean> => {
    const credential = await verified(deps, given.answer, given.challenge.text)
    const login = await deps.logins.find(accountId)
    if (!credential || !login) return false
    return transact(deps.database.db, async (tx) => {
      const writer = new PasskeyWriter(tx)
      await deps.logins.hold(tx, accountId)
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
