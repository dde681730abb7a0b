import type { AccountPage, Report, StatusPage } from '@rookery/contracts/statuses'
import { type Renderer, reportJson } from '@rookery/entities'
import { notFound, orNotFound } from '@rookery/failures'
import { isId } from '@rookery/ids'
import type { Clients } from '../clients.ts'
import { ACCOUNT_LIST, type LinkStyle, Reply, TIMELINE } from '../http/endpoint.ts'

/** A record's id in the path. @throws Failure not_found for an invalid id */
export const recordId = (params: Record<string, string>, name = 'id'): string => {
  const id = params[name] ?? ''
  if (!isId(id)) throw notFound(`${id} is no id`)
  return id
}

/** The single status of a page as JSON. @throws Failure not_found when it is missing */
export const statusReply = (page: StatusPage, { render }: Clients): Buffer => {
  const [item] = page.items
  return orNotFound(item && render.status(page, item))
}

/** A list of statuses with its Link header; 206 while its feed is being rebuilt. */
export const statusesReply = (page: StatusPage, { render }: Clients, style: LinkStyle = TIMELINE): Reply =>
  new Reply(render.statuses(page), { status: page.isRebuilding ? 206 : 200, page: { cursors: page.cursors, style } })

/** A list of accounts with its Link header. */
export const accountsReply = (page: AccountPage, { render }: Clients): Reply =>
  new Reply(render.accounts(page.accounts), { page: { cursors: page.cursors, style: ACCOUNT_LIST } })

/** The JSON of a page's reports by id; undefined for one whose target is not on the page. */
export const reportsIn = ({ views, reports }: { views?: StatusPage | undefined; reports: readonly Report[] }, render: Renderer) => {
  const accounts = new Map(views?.accounts.map((view) => [view.id, view]))
  const byId = new Map(reports.map((report) => [report.id, report]))
  return (id: string | undefined): Buffer | undefined => {
    const report = byId.get(id ?? '')
    const target = report && accounts.get(report.targetId)
    return target && reportJson(report, render.account(target))
  }
}
