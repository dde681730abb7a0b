import type { CreatedAnswer } from './answer.rules.ts'
import type { RelyingParty } from './relying-party.ts'

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

/** Verifies the answer to a challenge for creating a passkey, and returns the credential; undefined if it is invalid (WebAuthn, 7.1). */
export const verifyCreated = async ({ id, origin }: RelyingParty, answer: CreatedAnswer, challenge: string) => {
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
