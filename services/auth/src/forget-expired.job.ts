import type { Database } from '@rookery/database'
import { type Job, job } from '@rookery/jobs'
import type { Clock } from '@rookery/runtime'
import type { Imports } from './accounts/imports/index.ts'
import type { Invites } from './accounts/invites/index.ts'
import type { AddressBlocks } from './address-blocks/index.ts'
import type { Confirmations } from './credentials/confirmations/index.ts'
import type { EmailChanges } from './credentials/email-changes/index.ts'
import type { Passkeys } from './credentials/passkeys/index.ts'
import type { Passwords } from './credentials/passwords/index.ts'
import type { AuthTables } from './database/schema.ts'
import type { Idempotency } from './idempotency/index.ts'
import type { LoginMeasures } from './measures/index.ts'
import { forgetExpiredArtifacts, type Sessions } from './oauth/provider/index.ts'

type Deps = {
  addressBlocks: Pick<AddressBlocks, 'forgetUses'>
  database: Database<AuthTables>
  clock: Clock
  confirmations: Confirmations
  passwords: Passwords
  passkeys: Pick<Passkeys, 'forgetExpired'>
  emailChanges: EmailChanges
  sessions: Sessions
  imports: Imports
  invites: Pick<Invites, 'forgetOver'>
  idempotency: Idempotency
  measures: Pick<LoginMeasures, 'forgetDays'>
}

/** Deletes expired data: sessions, codes, links, finished imports, ended invitations and old counts. */
export const forgetExpired = (deps: Deps): Job =>
  job<unknown>({
    name: 'forget-expired',
    cron: '17 * * * *',
    async run() {
      const now = new Date(deps.clock.now())
      await forgetExpiredArtifacts(deps.database, now)
      await deps.confirmations.forgetExpired(now)
      await deps.passwords.forgetExpired(now)
      await deps.passkeys.forgetExpired(now)
      await deps.emailChanges.forgetExpired(now)
      await deps.sessions.forgetEnded()
      await deps.imports.forgetFinished(now)
      await deps.invites.forgetOver(now)
      await deps.idempotency.forgetExpired(now)
      await deps.addressBlocks.forgetUses(now)
      await deps.measures.forgetDays(now)
    },
  })
