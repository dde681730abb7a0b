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

/** A person gets no two mails of one kind within this. */
const INTERVAL = 3600 * 1000

type Round = { kind: StaffMailKind }

/** Has staff mailed about what of a kind waits: as soon as the interval since the last time is over. Asking again changes nothing. */
export const requestRound = (tx: Tx<AuthTables>, kind: StaffMailKind, runAt?: Date): Promise<void> =>
  addJob(tx, SERVICE, BEGIN_STAFF_MAILS, { kind } satisfies Round, {
    key: `staff-mails/${kind}`,
    keepsTime: true,
    ...(runAt && { runAt }),
  })

/**
 * Makes a mail for each of the staff who may deal with what waits, at most once in the interval; comes back when it is over where it is not.
 * What was dealt with meanwhile is mailed to no one.
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
