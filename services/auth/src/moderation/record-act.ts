import type { ApplyActRequest } from '@rookery/contracts/statuses'
import type { Tx } from '@rookery/database'
import type { AuthTables } from '../database/schema.ts'
import { ACTS, type Act, type ActName, answersAllReports, onStatuses } from './act.rules.ts'
import { ActWriter } from './act.store.ts'
import { requestFinish } from './finish-acts.job.ts'

/** The account and the actor of an act; without staffId it is an operator. */
export type Parties = { accountId: string; staffId?: string | undefined }

/** Options of an act with a warning. */
export type Warning = { text?: string; reportId?: string; sendsMail?: boolean; statusIds?: readonly string[] }

/** The handle of an account that ends, which cannot be looked up afterwards. */
type Ended = { handle?: string }

/** Adds an act on an account to the log and returns its id. */
export const writeAct = (
  tx: Tx<AuthTables>,
  action: string,
  { accountId, staffId }: Parties,
  { text = '', reportId, statusIds = [], handle }: Warning & Ended,
  now: Date,
): Promise<string> => {
  const act = {
    actorId: staffId || null,
    action,
    accountId,
    target: handle ?? statusIds.join(' '),
    text,
    reportId: reportId || null,
    createdAt: now,
  }
  return new ActWriter(tx).add(act)
}

type Written = Pick<Warning, 'reportId' | 'statusIds'> & { actId: string; warning?: ApplyActRequest['warning'] }

/** Records what statuses must apply for an act, and adds the job that applies it. */
export const requestAct = async (
  tx: Tx<AuthTables>,
  action: ActName,
  parties: Parties,
  { actId, reportId = '', statusIds = [], warning }: Written,
): Promise<void> => {
  const act: Act = ACTS[action]
  const { accountId, staffId = '' } = parties
  const resolvesReports = answersAllReports(action, parties)
  const request = { actId, accountId, staffId, reportId, warning, resolvesReports, ...onStatuses(act, statusIds), ...act.account }
  await new ActWriter(tx).addUnfinished({ actId, request })
  await requestFinish(tx, accountId)
}
