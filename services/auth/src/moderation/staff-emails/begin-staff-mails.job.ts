import { rolesWith } from '@rookery/contracts/permissions'
import { type Tx, transact } from '@rookery/database'
import { addJob, addJobs, type Job, job } from '@rookery/jobs'
import type { Clock } from '@rookery/runtime'
import { STAFF_MAIL_PERMISSIONS, type StaffMailKind } from '../../accounts/notification-emails/index.ts'
import type { AuthTables } from '../../database/schema.ts'
import type { Mailer } from '../../mail/mailer/index.ts'
import { SERVICE } from '../../service.ts'
import { SEND_STAFF_MAIL, type StaffMailJob } from './send-staff-mail.job.ts'
import { beginRound, readStaff } from './staff-mail.store.ts'
import { readWaiting, type WaitingDeps } from './waiting.ts'

const BEGIN_STAFF_MAILS = 'begin-staff-mails'

/** Minimum interval between mails of a kind, in milliseconds. */
const INTERVAL = 3600 * 1000

type Round = { kind: StaffMailKind }

/** Adds the job that mails staff about pending items of a kind. Does nothing if the job is waiting already. */
export const requestRound = (tx: Tx<AuthTables>, kind: StaffMailKind, runAt?: Date): Promise<void> =>
  addJob(tx, SERVICE, BEGIN_STAFF_MAILS, { kind } satisfies Round, {
    key: `staff-mails/${kind}`,
    keepsTime: true,
    ...(runAt && { runAt }),
  })

/**
 * Adds a mail to each member of staff who may handle the pending items of a kind, at most once per interval: within it, reschedules itself to its
 * end. Sends nothing if the items were handled meanwhile.
 */
export const beginStaffMails = (deps: WaitingDeps & { mailer: Mailer; clock: Clock }): Job =>
  job<Round>({
    name: BEGIN_STAFF_MAILS,
    async run({ kind }) {
      if (!deps.mailer.canSend) return
      const waiting = await readWaiting(deps, kind)
      if (waiting.count === 0) return
      await transact(deps.database.db, async (tx) => {
        const now = deps.clock.now()
        const before = await beginRound(tx, { kind, now, interval: INTERVAL })
        if (before) return requestRound(tx, kind, new Date(before.getTime() + INTERVAL))
        const staff = await readStaff(tx, rolesWith(STAFF_MAIL_PERMISSIONS[kind]))
        const mails = staff.map((accountId) => {
          const payload: StaffMailJob = { accountId, kind, round: now, waiting }
          return { payload, key: `staff-mail/${kind}/${accountId}` }
        })
        await addJobs(tx, SERVICE, SEND_STAFF_MAIL, mails)
      })
    },
  })
