import { type Database, type Tx, transact } from '@rookery/database'
import { addJob } from '@rookery/jobs'
import type { AuthTables } from '../database/schema.ts'
import { digestOf } from '../secrets.ts'
import { SERVICE } from '../service.ts'
import type { Throttle } from '../throttle.ts'
import { SEND_RESET } from './send-reset.job.ts'

/** Has a link sent to an address after the commit; asked again before that, it is sent once. */
export const sendLink = (tx: Tx<AuthTables>, email: string): Promise<void> =>
  addJob(tx, SERVICE, SEND_RESET, { email }, { key: `${SEND_RESET}:${digestOf(email).toString('base64url')}` })

type Given = { database: Database<AuthTables>; throttle: Throttle }

/**
 * Has a link sent to whoever has this e-mail address. Whether anybody has it is looked up by the job alone, so that neither the answer nor
 * its time tells. Answers with the seconds to wait when it was asked for too often.
 */
export const requestReset =
  (given: Given) =>
  async (asked: { email: string; address: string }): Promise<number | undefined> => {
    const email = asked.email.trim().toLowerCase()
    const retryAfterSeconds = await given.throttle([
      { limit: 'resets', by: asked.address },
      { limit: 'resetsOfEmail', by: email },
    ])
    if (retryAfterSeconds !== undefined) return retryAfterSeconds
    await transact(given.database.db, (tx) => sendLink(tx, email))
    return undefined
  }
