import type { Inviters } from '@rookery/contracts/permissions'
import type { Database } from '@rookery/database'
import type { Invalidations, LiveChannel } from '@rookery/ephemeral'
import type { Outbox } from '@rookery/events'
import type { Ids } from '@rookery/ids'
import type { Clock } from '@rookery/runtime'
import type { AuthTables } from '../../database/schema.ts'
import type { Logins } from '../../logins/index.ts'
import { digestOf } from '../../secrets.ts'
import { checkTokens, publishWrites } from './check-tokens.ts'
import { grantToken } from './grant-token.ts'
import { issueToken } from './issue-token.ts'
import { deleteOfApp, revokeTokens, revokeWithin } from './revoke-tokens.ts'
import { TokenReader } from './token.store.ts'

type Deps = {
  database: Database<AuthTables>
  outbox: Outbox
  live: LiveChannel
  invalidations: Invalidations
  clock: Clock
  ids: Ids
  logins: Logins
  config: { inviters: Inviters }
}

/** Access tokens, for other slices. */
export const createTokens = (deps: Deps) => {
  const reader = new TokenReader(deps.database.db)
  publishWrites(deps)
  return {
    check: checkTokens(deps),
    issue: issueToken(deps),
    grant: grantToken(deps),
    revoke: revokeTokens(deps),
    revokeWithin: revokeWithin(deps),
    deleteOfApp: deleteOfApp(deps),
    /** The apps with tokens of an account, latest first. */
    appsOf: (accountId: string) => reader.appsOf(accountId),
    /** The app of a token; undefined for an unknown token. */
    appOf: (value: string) => reader.appOf(digestOf(value)),
  }
}

export type Tokens = ReturnType<typeof createTokens>
