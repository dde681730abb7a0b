import type { Tx } from '@rookery/database'
import type { Clock } from '@rookery/runtime'
import type { AuthTables } from '../../database/schema.ts'
import { digestOf, makeSecret } from '../../secrets.ts'
import { ResetWriter } from './reset.store.ts'

/** Creates a single-use link that sets an account's password, with a lifetime in milliseconds. Only its digest is stored. */
export const makeLink =
  (deps: { clock: Clock; baseUrl: string }) =>
  async (tx: Tx<AuthTables>, accountId: string, livesMilliseconds: number): Promise<string> => {
    const token = makeSecret()
    await new ResetWriter(tx).add(digestOf(token), accountId, new Date(deps.clock.now() + livesMilliseconds))
    return `${deps.baseUrl}/auth/password/reset?token=${token}`
  }
