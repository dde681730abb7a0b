import { type Database, type Tx, transact } from '@rookery/database'
import { addJob } from '@rookery/jobs'
import type { AuthTables } from '../../database/schema.ts'
import { digestOf } from '../../secrets.ts'
import { SERVICE } from '../../service.ts'
import type { Throttle } from '../../throttle.ts'
import { SEND_RESET } from './send-reset.job.ts'

/** Has a link sent to a person, by e-mail address or username, after the commit; asked again before that, it is sent once. */
export const sendLink = (tx: Tx<AuthTables>, name: string): Promise<void> =>
  addJob(tx, SERVICE, SEND_RESET, { email: name }, { key: `${SEND_RESET}:${digestOf(name).toString('base64url')}` })

type Deps = { database: Database<AuthTables>; throttle: Throttle }

/**
 * Sends a link to the person with this e-mail address or username. Only the job looks up whether there is one, so that neither the answer
 * nor its time reveals it. Returns the seconds to wait when it was requested too often.
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
