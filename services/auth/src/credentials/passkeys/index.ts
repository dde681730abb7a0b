import { type Tx, transact } from '@rookery/database'
import type { AuthTables } from '../../database/schema.ts'
import type { Proved } from '../../logins/index.ts'
import { addPasskey, MAX_PASSKEYS } from './add-passkey.ts'
import { makeChallenge, type PasskeyDeps } from './challenge.ts'
import { type Passkey, PasskeyReader, PasskeyWriter } from './passkey.store.ts'
import { relyingPartyOf } from './relying-party.ts'
import { usePasskey } from './use-passkey.ts'

export { createdAnswer, usedAnswer } from './answer.rules.ts'
export type { Passkey } from './passkey.store.ts'

const MINUTE = 60_000

const named = ({ credentialId, transports }: Passkey) => ({ type: 'public-key', id: credentialId.toString('base64url'), transports })

/** Passkeys, for other slices (WebAuthn level 3). Without `isPossible` the relying party is empty. */
export const createPasskeys = (deps: Omit<PasskeyDeps, 'relyingParty'> & { baseUrl: string }) => {
  const reader = new PasskeyReader(deps.database.db)
  const relyingParty = relyingPartyOf(deps.baseUrl)
  const withParty = { ...deps, relyingParty: relyingParty ?? { id: '', origin: '' } }
  return {
    /** Whether browsers can create passkeys for this server's origin. */
    isPossible: relyingParty !== undefined,
    list: (accountId: string) => reader.list(accountId),
    makeChallenge,
    /** Options for creating a passkey: PublicKeyCredentialCreationOptions as JSON. */
    creationOptions: (given: { accountId: string; name: string; challenge: string; known: readonly Passkey[] }) => ({
      rp: { id: withParty.relyingParty.id, name: withParty.relyingParty.id },
      user: { id: Buffer.from(given.accountId).toString('base64url'), name: given.name, displayName: given.name },
      challenge: given.challenge,
      // EdDSA, ES256 and RS256: every authenticator supports one of them.
      pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: 'public-key', alg })),
      excludeCredentials: given.known.map(named),
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
      attestation: 'none',
      timeout: 5 * MINUTE,
    }),
    /** Options for signing in: with one of the known passkeys, or without them with any discoverable one. */
    requestOptions: (given: { challenge: string; known?: readonly Passkey[] }) => ({
      rpId: withParty.relyingParty.id,
      challenge: given.challenge,
      allowCredentials: (given.known ?? []).map(named),
      userVerification: given.known ? 'preferred' : 'required',
      timeout: 5 * MINUTE,
    }),
    add: addPasskey(withParty),
    use: usePasskey(withParty),
    mayAdd: (known: readonly Passkey[]) => known.length < MAX_PASSKEYS,
    /** Removes an account's own passkey, and mails its owner. @throws Failure conflict as `holdProved` */
    remove: (proved: Proved, credentialId: Buffer): Promise<void> =>
      transact(deps.database.db, async (tx) => {
        const { accountId, email: to, locale } = await deps.logins.holdProved(tx, proved)
        if (!(await new PasskeyWriter(tx).remove(accountId, credentialId))) return
        await deps.securityEmails.send(tx, { to, locale, kind: 'passkeyRemoved' })
      }),
    removeOf: (tx: Tx<AuthTables>, accountId: string) => new PasskeyWriter(tx).removeOf(accountId),
    forgetExpired: (now: Date) => transact(deps.database.db, (tx) => new PasskeyWriter(tx).forgetExpired(now)),
  }
}

export type Passkeys = ReturnType<typeof createPasskeys>
