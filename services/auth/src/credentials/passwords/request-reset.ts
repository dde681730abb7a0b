import { type Database, type Tx, transact } from '@rookery/database'
import { addJob } from '@rookery/jobs'
import type { AuthTables } from '../../database/schema.ts'
import { digestOf } from '../../secrets.ts'
import { SERVICE } from '../../service.ts'
import type { Throttle } from '../../throttle.ts'
import { SEND_RESET } from './send-reset.job.ts'

/** Adds the job that mails a link, by e-mail address or username, with the transaction; a job that still waits is replaced. */
export const sendLink = (tx: Tx<AuthTables>, name: string): Promise<void> =>
  addJob(tx, SERVICE, SEND_RESET, { email: name }, { key: `${SEND_RESET}:${digestOf(name).toString('base64url')}` })

type Deps = { database: Database<AuthTables>; throttle: Throttle }

/**
 * Requests a link for an e-mail address or username. Only the job looks up the login, so that neither the response nor its timing reveals
 * whether it exists. Returns the seconds to wait if the rate limit is reached.
 */
export const requestReset =
  (deps: Deps) =>
  async (asked: { name: string; address: string }): Promise<number | undefined> => {
    const name = asked.name.trim().toLowerCase()
    const retryAfterSeconds = await deps.throttle([
      { limit: 'resets', by: asked.address },
      { limit: 'resetsOfEmail', by: name },
    ])
    if (retryAfterSeconds !== undefined) return retryAfterSeconds
    await transact(deps.database.db, (tx) => sendLink(tx, name))
    return undefined
  }
