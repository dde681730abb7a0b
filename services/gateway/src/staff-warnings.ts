import { invalid } from '@rookery/failures'
import type { Call } from '@rookery/rpc'
import type { Clients } from './clients.ts'

/** Maximum characters of a warning's text. */
const TEXT_LENGTH = 2048

/** The faults of a warning's text. */
export const textFaults = (words: string) =>
  [...words].length > TEXT_LENGTH ? [`Text is too long (maximum is ${TEXT_LENGTH} characters)`] : []

/** @throws Failure invalid for a text that is too long */
export const refuseLongText = (words: string): void => {
  const faults = textFaults(words)
  if (faults.length > 0) throw invalid(...faults)
}

/** @throws Failure invalid for posts of another account; posts deleted meanwhile are not checked */
export const refuseForeignStatuses = async (call: Call, statusIds: readonly string[], accountId: string, { staffStatuses }: Clients) => {
  if (statusIds.length === 0) return
  const { authors } = await staffStatuses.readAuthors(call, { statusIds: [...statusIds] })
  if (authors.some((author) => author.accountId !== accountId)) throw invalid('Statuses are not of this account')
}

/** @throws Failure not_found for an unknown report, invalid for one about another account */
export const refuseForeign = async (call: Call, reportId: string, accountId: string, { staffReports }: Clients) => {
  const { reports } = await staffReports.read(call, { id: reportId })
  if (reports[0]?.report?.targetId !== accountId) throw invalid('Report is not about this account')
}
