import { AccountBody, type FileReportRequest, type ReportList } from '@rookery/contracts/statuses'
import { type Database, type Tx, transactOnce } from '@rookery/database'
import { accountDomain } from '@rookery/domain-names'
import type { Outbox } from '@rookery/events'
import { invalid, notFound, orNotFound } from '@rookery/failures'
import { isId } from '@rookery/ids'
import type { Call } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import { addressRecipients } from '../../audience/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import { AccountReader } from '../../people/accounts/index.ts'
import type { Views } from '../../views/index.ts'
import { copyStatuses } from './copy-statuses.ts'
import { MODERATORS } from './read-reports.ts'
import { reportFiled, reportForwarded } from './report.events.ts'
import { reportMessage } from './report.message.ts'
import { categoryOf, faultsOf } from './report.rules.ts'
import { type ReportRow, ReportWriter, readAnswered, readSent } from './report.store.ts'
import { addCopies } from './reported-status.store.ts'

type Deps = { database: Database<StatusesTables>; outbox: Outbox; clock: Clock; views: Views }

/** Checks the statuses of a report and removes duplicates. From another server, drops those that were not sent to it or are not the target's. */
const statusesOfReports = ({ database, views }: Deps) => {
  /** @throws Failure not_found unless all are the target's and visible to the viewer */
  const refuseForeign = async ({ viewerId, accountId }: FileReportRequest, statusIds: readonly string[]) => {
    if (!statusIds.every(isId)) throw notFound('a status that can be none')
    if (statusIds.length === 0) return
    const { items, statuses } = await views.byIds(viewerId, statusIds, 'direct')
    const authors = new Map(statuses.map(({ id, accountId: authorId }) => [id, authorId]))
    const isWhole = items.length === statusIds.length && items.every(({ id }) => authors.get(id) === accountId)
    if (!isWhole) throw notFound(`not all statuses are shown to ${viewerId} and of ${accountId}`)
  }

  return async (request: FileReportRequest): Promise<string[]> => {
    const { accountId, senderDomain: domain } = request
    const statusIds = [...new Set(request.statusIds)]
    if (domain) return (await readSent(database, { accountId, domain, ids: statusIds.filter(isId) })).map(({ id }) => id)
    await refuseForeign(request, statusIds)
    return statusIds
  }
}

/** The domains whose servers the reporter wants to know of it: that of the account, unless they choose some; none for an account of this server. */
const domainsOf = ({ forward, forwardToDomains }: FileReportRequest, origin: AccountBody['origin']): string[] => {
  if (!forward || !origin) return []
  return forwardToDomains.length === 0 ? [origin.domain] : forwardToDomains.flatMap((domain) => accountDomain(domain) ?? [])
}

/**
 * Stores a report about an account with copies of the statuses it names, and notifies moderators. Forwards it to the servers that the reporter
 * chooses of that of the account and those of the people whom the statuses answer (beyond-the-spec 2.2); no other server learns of it.
 * @throws Failure not_found for an unknown account, and for statuses of another account or hidden from the viewer; invalid over a limit
 */
export const fileReport = (deps: Deps) => {
  const { database, outbox, clock, views } = deps
  const namedStatuses = statusesOfReports(deps)

  const tell = async (tx: Tx<StatusesTables>, report: ReportRow, trace: string) => {
    const recipients = await new AccountReader(tx).holders(MODERATORS)
    const act = { reason: 'admin.report', actorId: report.accountId, statusId: '', reportId: report.id }
    const acts = recipients.map((recipientId) => ({ ...act, recipientId }))
    const addressed = await addressRecipients(tx, acts, report.createdAt)
    await outbox.append(tx, [...addressed, reportFiled(report.accountId, report.id)], trace)
  }

  const forward = async (tx: Tx<StatusesTables>, report: ReportRow, { domains, trace }: { domains: readonly string[]; trace: string }) => {
    const { id, accountId, targetId, comment, statusIds, isForwarded } = report
    const answered = await readAnswered(tx, { statusIds, domains })
    const recipientIds = [...new Set([...(isForwarded ? [targetId] : []), ...answered.map((each) => each.id)])]
    if (recipientIds.length === 0) return
    await outbox.append(tx, [reportForwarded(accountId, { reportId: id, targetId, comment, statusIds, recipientIds })], trace)
  }

  return async (call: Call, request: FileReportRequest): Promise<ReportList> => {
    const faults = faultsOf(request)
    if (faults.length > 0) throw invalid(...faults)
    const target = isId(request.accountId) ? (await views.listedAccounts([request.accountId]))[0] : undefined
    const account = orNotFound(target, `account ${request.accountId} is not there`)
    const statusIds = await namedStatuses(request)
    const copies = await copyStatuses(views, statusIds)
    const { origin } = AccountBody.decode(account.body)
    const domains = domainsOf(request, origin)
    const report = await transactOnce(database.db, { call, step: 'file-report' }, async (tx) => {
      const row = await new ReportWriter(tx).add({
        accountId: request.viewerId,
        targetId: request.accountId,
        category: categoryOf(request),
        comment: request.comment,
        statusIds,
        ruleIds: [...new Set(request.ruleIds)],
        isForwarded: origin !== undefined && domains.includes(origin.domain),
        hasCopies: copies.length > 0,
        createdAt: new Date(clock.now()),
      })
      if (copies.length > 0) await addCopies(tx, row.id, copies)
      await tell(tx, row, call.trace)
      if (domains.length > 0) await forward(tx, row, { domains, trace: call.trace })
      return reportMessage(row)
    })
    return { reports: [report], accounts: [account] }
  }
}
