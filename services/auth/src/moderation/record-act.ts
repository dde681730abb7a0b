import type { ApplyActRequest } from '@rookery/contracts/statuses'
import type { Tx } from '@rookery/database'
import type { AuthTables } from '../database/schema.ts'
import { ACTS, type Act, type ActName, answersAllReports, onStatuses } from './act.rules.ts'
import { ActWriter } from './act.store.ts'
import { requestFinish } from './finish-acts.job.ts'

/** Who acts, on whom: no staffId for an operator. */
export type Parties = { accountId: string; staffId?: string | undefined }

/** What goes with a warning. */
export type Warning = { text?: string; reportId?: string; sendsMail?: boolean; statusIds?: readonly string[] }

/** What an account that ends was called: afterwards no one knows. */
type Ended = { handle?: string }

/** Adds an act on an account to the log; answers with its id. */
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

/** Puts on record what statuses is to change for an act: a job has it done where the one who acts does not. */
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
