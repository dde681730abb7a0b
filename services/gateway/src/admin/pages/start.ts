import type { BacklogMetrics } from '@rookery/contracts/events'
import { holds, PERMISSIONS } from '@rookery/contracts/permissions'
import { type Html, html } from '@rookery/pages'
import { Staff } from '../../http/access.ts'
import { api } from '../api.ts'
import { chartPart } from '../chart.ts'
import type { AdminPage } from '../page.ts'
import { numberOf } from '../parts.ts'
import { read, type Visit } from '../visit.ts'

type Week = { week: string; statuses: string; logins: string; registrations: string }

/** A service that does not answer is left out: the numbers of the others are still useful. */
const absent = () => undefined

const readBacklogs = async ({ call, clients }: Visit) => {
  const { authBacklog, statusesBacklog, mediaBacklog, notificationsBacklog, federationBacklog } = clients
  const [auth, statuses, ...others] = await Promise.all(
    [authBacklog, statusesBacklog, mediaBacklog, notificationsBacklog, federationBacklog].map((each) => each.read(call, {}).catch(absent)),
  )
  return { auth, statuses, all: [auth, statuses, ...others].filter((each) => each !== undefined) }
}

const sum = (all: readonly BacklogMetrics[], count: (each: BacklogMetrics) => number) => all.reduce((total, each) => total + count(each), 0)

const jobsIn = (state: 'due' | 'retrying' | 'exhausted') => (each: BacklogMetrics) =>
  each.jobs.reduce((total, job) => total + job[state], 0)

const bytesOf = ({ language }: Visit, bytes: number) =>
  new Intl.NumberFormat(language, { style: 'unit', unit: 'megabyte', maximumFractionDigits: 0 }).format(bytes / 1_000_000)

type Metric = { name: string; value: string | undefined; href?: string | false | undefined }

const metricPart = ({ texts }: Visit, { name, value, href }: Metric): Html => {
  const number = html`<strong>${value ?? html`<span title="${texts.start.unknown}">–</span>`}</strong><span>${name}</span>`
  return html`<li>${href ? html`<a href="${href}">${number}</a>` : number}</li>`
}

const dayOf = ({ language }: Visit, week: string) =>
  new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' }).format(Number(week) * 1000)

const chartOf = (visit: Visit, title: string, weeks: readonly { week: string; value: number }[]): Html => {
  const { texts } = visit
  const bars = weeks.map(({ week, value }) => ({ value, title: texts.start.week(dayOf(visit, week), numberOf(visit, value)) }))
  const now = texts.start.thisWeek(numberOf(visit, weeks.at(-1)?.value ?? 0))
  return html`<section><h2>${title}</h2>${chartPart(`${title}. ${now}`, bars)}<p class="small">${now}</p></section>`
}

/** GET /admin: the server's numbers, and pending work. */
export const startPage: AdminPage = {
  path: '/admin',
  section: 'start',
  isFirst: true,
  access: Staff(PERMISSIONS.viewDashboard, 'admin:read'),
  async read(visit) {
    const { call, clients, holder, texts } = visit
    const [backlogs, card, activity, appeals, weeks] = await Promise.all([
      readBacklogs(visit),
      clients.instance.read(call, {}).catch(absent),
      clients.registrations.readActivity(call, { sinceSeconds: Math.floor(clients.clock.now() / 1000) }).catch(absent),
      clients.staffAccounts.listAppeals(call, { page: { limit: 1 } }).catch(absent),
      read<Week[]>(visit, api('GET /api/v1/instance/activity')).then((found) => found.toReversed()),
    ])
    const { auth, statuses, all } = backlogs
    const may = (permission: number) => holds(holder.permissions, permission)
    const number = (value: number | undefined) => (value === undefined ? undefined : numberOf(visit, value))
    const metrics: Metric[] = [
      { name: texts.start.approvals, value: number(auth?.forStaff), href: may(PERMISSIONS.manageUsers) && '/admin/approvals' },
      { name: texts.start.reports, value: number(statuses?.forStaff), href: may(PERMISSIONS.manageReports) && '/admin/reports' },
      { name: texts.start.appeals, value: number(appeals?.pending), href: may(PERMISSIONS.manageAppeals) && '/admin/appeals' },
      { name: texts.start.active, value: number(activity?.activeMonth) },
      { name: texts.start.people, value: number(card?.people) },
      { name: texts.start.posts, value: number(card?.statuses) },
      {
        name: texts.start.stored,
        value: bytesOf(
          visit,
          sum(all, (each) => each.storedBytes),
        ),
      },
      { name: texts.start.outbox, value: number(sum(all, (each) => each.outbox)) },
      { name: texts.start.jobs, value: number(sum(all, jobsIn('due'))) },
      { name: texts.start.retrying, value: number(sum(all, jobsIn('retrying'))) },
      { name: texts.start.failed, value: number(sum(all, jobsIn('exhausted'))), href: may(PERMISSIONS.viewDevops) && '/admin/failed' },
      {
        name: texts.start.letters,
        value: number(sum(all, (each) => each.deadLetters)),
        href: may(PERMISSIONS.viewDevops) && '/admin/failed',
      },
    ]
    const chart = (title: string, name: Exclude<keyof Week, 'week'>) =>
      chartOf(
        visit,
        title,
        weeks.map((week) => ({ week: week.week, value: Number(week[name]) })),
      )
    return {
      title: texts.sections.start,
      lead: texts.start.lead,
      body: html`<ul class="metrics">${metrics.map((metric) => metricPart(visit, metric))}</ul>
<div class="charts">
${chart(texts.start.signUps, 'registrations')}
${chart(texts.start.postsByWeek, 'statuses')}
${chart(texts.start.logins, 'logins')}
</div>`,
    }
  },
}
