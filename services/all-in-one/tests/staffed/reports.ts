import { PERMISSIONS } from '@rookery/contracts/permissions'
import type { OnAct } from './accounts.ts'
import type { Area, Asked, Json, Maker, Stage } from './stage.ts'
import { compareFields, idsOf, judging, request } from './stage.ts'

// Reports, and what staff do with them (beyond-the-spec 2.2, 2.6).

const PATH = '/api/v1/admin/reports'

type Report = {
  id: string
  by: string
  target: string
  category: string
  rules: string[]
  comment: string
  statuses: string[]
  assigned: string | undefined
  taken: string | undefined
}

export class Reports {
  readonly all = new Map<string, Report>()

  about(target: string): Report[] {
    return [...this.all.values()].filter((report) => report.target === target)
  }

  /** An act that limits an account resolves all that is open about it. */
  resolveAll(target: string, by: string): void {
    for (const report of this.about(target)) report.taken ??= by
  }
}

type Parts = { rules: () => readonly string[]; onAct: OnAct }

const CATEGORIES = ['spam', 'legal', 'other']

const acting = (stage: Stage, reports: Reports, { rules, onAct }: Parts) => {
  const { random, staff, people, accounts } = stage
  const { may, isIn, account } = judging(stage)
  const drawRules = () => rules().filter(() => random.chance(0.5))
  const file: Maker = () => {
    const by = random.of(people)
    const target = random.of([...accounts.values()].filter(({ id }) => id !== by.id))
    const [category, named] = [random.of(CATEGORIES), random.chance(0.4) ? drawRules() : []]
    const statuses = random.chance(0.5) && !target.isSuspended ? [target.statusId] : []
    const body = { account_id: target.id, category, rule_ids: named, status_ids: statuses, comment: random.of(['', 'Rude.']) }
    return {
      ...request(by, 'POST', '/api/v1/reports', body),
      wanted: !isIn(by) ? 403 : target.isSuspended ? 404 : 200,
      keys: [],
      fixed: [`account ${by.id}`, `account ${target.id}`, `reports ${target.id}`, 'rules'],
      done: ({ id }) =>
        reports.all.set(id, {
          ...{ id, by: by.id, target: target.id, category: named.length > 0 ? 'violation' : category, rules: named },
          ...{ comment: body.comment, statuses, assigned: undefined, taken: undefined },
        }),
    }
  }
  const one = () => (reports.all.size > 0 ? random.of([...reports.all.values()].slice(-6)) : undefined)
  const by = () => random.of(random.chance(0.1) ? people : staff)
  const act =
    (name: string, done: (report: Report, by: string) => void): Maker =>
    () => {
      const [someone, report] = [by(), one()]
      return (
        report && {
          ...request(someone, 'POST', `${PATH}/${report.id}/${name}`),
          wanted: may(someone, PERMISSIONS.manageReports) ? 200 : 403,
          keys: [`reports ${report.target}`],
          fixed: [`account ${someone.id}`],
          done: () => done(report, someone.id),
        }
      )
    }
  const change: Maker = () => {
    const [someone, report] = [by(), one()]
    const form = random.chance(0.5) ? { category: random.of(CATEGORIES) } : { rule_ids: drawRules() }
    return (
      report && {
        ...request(someone, 'PUT', `${PATH}/${report.id}`, form),
        wanted: may(someone, PERMISSIONS.manageReports) ? 200 : 403,
        keys: [`reports ${report.target}`],
        fixed: [`account ${someone.id}`, 'rules'],
        done: () => {
          if ('category' in form) Object.assign(report, { category: form.category, rules: [] })
          else Object.assign(report, { rules: form.rule_ids, category: form.rule_ids.length > 0 ? 'violation' : report.category })
        },
      }
    )
  }
  /** Answers a report with an act on its account. */
  const answer: Maker = () => {
    const [someone, report, type] = [by(), one(), random.of(['none', 'sensitive'])]
    if (!report) return undefined
    const isAllowed = may(someone, PERMISSIONS.manageUsers) && judging(stage).outranks(someone, report.target)
    return {
      ...request(someone, 'POST', `/api/v1/admin/accounts/${report.target}/action`, { type, report_id: report.id }),
      wanted: isAllowed ? 200 : 403,
      keys: [`reports ${report.target}`, `account ${report.target}`],
      fixed: [`account ${someone.id}`],
      done: () => {
        report.taken = someone.id
        onAct(account(report.target), someone.id, { type, isTold: true })
        if (type === 'sensitive') account(report.target).isSensitized = true
      },
    }
  }
  return {
    file,
    change,
    answer,
    assign: act('assign_to_self', (report, id) => Object.assign(report, { assigned: id })),
    unassign: act('unassign', (report) => Object.assign(report, { assigned: undefined })),
    resolve: act('resolve', (report, id) => Object.assign(report, { taken: id })),
    reopen: act('reopen', (report) => Object.assign(report, { taken: undefined })),
  }
}

const gist = (is: Json) => ({
  category: is.category,
  comment: is.comment,
  action_taken: is.action_taken,
  isDated: is.action_taken_at !== null,
  by: is.account.id,
  target: is.target_account.id,
  assigned: is.assigned_account?.id,
  taken: is.action_taken_by_account?.id,
  rules: idsOf(is.rules),
  statuses: idsOf(is.statuses),
})

const wantedGist = (report: Report) => ({
  category: report.category,
  comment: report.comment,
  action_taken: report.taken !== undefined,
  isDated: report.taken !== undefined,
  by: report.by,
  target: report.target,
  assigned: report.assigned,
  taken: report.taken,
  rules: report.rules.toSorted(),
  statuses: report.statuses,
})

const compareLists = async ({ viewer, compare }: Asked, { random, accounts }: Stage, reports: Reports) => {
  const all = [...reports.all.values()].toReversed()
  for (const resolved of [false, true]) {
    const path = `${PATH}?limit=200&resolved=${resolved}`
    const { body } = await viewer.get(path)
    const wanted = all.filter(({ taken }) => (taken !== undefined) === resolved)
    compare(
      path,
      body.map(({ id }: Json) => id),
      wanted.map(({ id }) => id),
    )
    for (const is of body) compareFields({ compare }, `report ${is.id}`, gist(is), wantedGist(reports.all.get(is.id)!))
    const { id } = random.of([...accounts.values()])
    for (const [name, suits] of [
      ['account_id', (report: Report) => report.by === id],
      ['target_account_id', (report: Report) => report.target === id],
    ] as const) {
      const { body: some } = await viewer.get(`${path}&${name}=${id}`)
      compare(`${path}&${name}=${id}`, idsOf(some), idsOf(wanted.filter(suits)))
    }
  }
  const one = all.length > 0 ? random.of(all) : undefined
  if (one) compareFields({ compare }, `report ${one.id} alone`, gist((await viewer.get(`${PATH}/${one.id}`)).body), wantedGist(one))
}

const compareNotices = async ({ viewer, compare }: Asked, reports: Reports) => {
  const { body } = await viewer.get('/api/v1/notifications?types[]=admin.report&limit=30&include_filtered=true')
  const wanted = [...reports.all.values()].toReversed().slice(0, 30)
  const isSeen = body.every(({ report }: Json) => wanted.some(({ id }) => id === report?.id))
  compare('notified of unknown reports', isSeen, true)
}

export const reportsArea = (stage: Stage, reports: Reports, parts: Parts): Area => {
  const { owner } = stage
  const { may } = judging(stage)
  const acts = acting(stage, reports, parts)
  const learn = async (report: Report) => {
    const { body } = await owner.get(`${PATH}/${report.id}`)
    const is = gist(body)
    Object.assign(report, { assigned: is.assigned, taken: is.taken, category: is.category, rules: is.rules })
  }
  return {
    makers: [
      [6, acts.file],
      [2, acts.change],
      [2, acts.answer],
      [2, acts.assign],
      [1, acts.unassign],
      [3, acts.resolve],
      [2, acts.reopen],
    ],
    learn: async (raced) => {
      for (const report of reports.all.values()) if (raced.has(`reports ${report.target}`)) await learn(report)
    },
    compare: async (asked) => {
      if (!asked.viewer.id || !judging(stage).isIn(asked.viewer)) return
      if (!may(asked.viewer, PERMISSIONS.manageReports)) return
      await compareLists(asked, stage, reports)
      await compareNotices(asked, reports)
    },
  }
}
