import { AccountView, Report, StatusPage } from '@rookery/contracts/statuses'
import { describe, expect, test } from 'vitest'
import { notificationOf, reportsOf, shownRows, viewsOf, visibleRows } from './inbox.rules.ts'

const row = (id: string, about: { actorId?: string; statusId?: string; reportId?: string } = {}) => ({
  id,
  recipientId: 'mara',
  type: 'mention',
  actorId: about.actorId ?? 'joel',
  statusId: about.statusId ?? null,
  reportId: about.reportId ?? null,
  createdAt: new Date(5),
  filtered: false,
})

describe('a row is shown', () => {
  const visible = { accountIds: ['joel'], statusIds: ['7'], reportIds: ['9'] }
  test.each([
    ['whose account is visible', row('1'), true],
    ['not whose account is not', row('1', { actorId: 'zoe' }), false],
    ['whose status is visible', row('1', { statusId: '7' }), true],
    ['not whose status is not', row('1', { statusId: '8' }), false],
    ['whose report is visible', row('1', { reportId: '9' }), true],
    ['not whose report is not', row('1', { reportId: '8' }), false],
    ['not whose account is not, though its status is', row('1', { actorId: 'zoe', statusId: '7' }), false],
  ])('%s', (_which, each, isShown) => expect(shownRows([each], visible)).toEqual(isShown ? [each] : []))
})

const page = (parts: Parameters<typeof StatusPage.fromPartial>[0]) => StatusPage.fromPartial(parts)
const account = (id: string, version = 1) => AccountView.fromPartial({ id, version })
const hydrated = (parts: {
  accounts?: AccountView[]
  statuses?: Parameters<typeof StatusPage.fromPartial>[0]
  reports?: Parameters<typeof Report.fromPartial>[0][]
  ofReports?: AccountView[]
}) => ({
  accounts: parts.accounts ?? [],
  statuses: page(parts.statuses ?? {}),
  reports: { reports: (parts.reports ?? []).map((each) => Report.fromPartial(each)), accounts: parts.ofReports ?? [] },
})

test('rows are judged by what was gathered of them', () => {
  const rows = [row('1', { statusId: '7' }), row('2', { statusId: '8' })]
  expect(visibleRows(rows, hydrated({ accounts: [account('joel')], statuses: { items: [{ id: '7' }] } })).map(({ id }) => id)).toEqual([
    '1',
  ])
})

describe('what rows refer to', () => {
  test('is given once, in its newest version', () => {
    const views = viewsOf(
      [row('1', { statusId: '7' }), row('2', { statusId: '7' })],
      [
        hydrated({
          accounts: [account('joel', 2)],
          statuses: { items: [{ id: '7' }], statuses: [{ id: '7', version: 1, accountId: 'mara' }] },
        }),
        hydrated({
          accounts: [account('joel', 1)],
          statuses: { items: [{ id: '7' }], statuses: [{ id: '7', version: 3, accountId: 'mara' }], accounts: [account('mara')] },
        }),
      ],
    )
    expect(views.items.map(({ id }) => id)).toEqual(['7'])
    expect(views.statuses.map(({ id, version }) => [id, version])).toEqual([['7', 3]])
    expect(views.accounts.map(({ id, version }) => [id, version])).toEqual([
      ['joel', 2],
      ['mara', 1],
    ])
  })

  test('includes the original of a boost and leaves out what no row refers to', () => {
    const statuses = {
      items: [{ id: '7', reblogOfId: '6' }, { id: '8' }],
      statuses: [6, 7, 8].map((id) => ({ id: String(id), accountId: 'joel' })),
    }
    const views = viewsOf([row('1', { statusId: '7' })], [hydrated({ accounts: [account('joel')], statuses })])
    expect(views.items.map(({ id }) => id)).toEqual(['7'])
    expect(views.statuses.map(({ id }) => id)).toEqual(['7', '6'])
  })

  test('includes what a status or a boosted one quotes, and the author of its card', () => {
    const quoting = (quotedId: string) => ({ quote: { quotedId } })
    const statuses = {
      items: [
        { id: '7', overlay: quoting('5') },
        { id: '8', reblogOfId: '6', reblogOverlay: quoting('4') },
      ],
      statuses: [4, 5, 6, 7, 8].map((id) => ({ id: String(id), accountId: 'joel', ...(id === 7 && { cardAuthorId: 'zoe' }) })),
      accounts: [account('zoe')],
    }
    const views = viewsOf([row('1', { statusId: '7' }), row('2', { statusId: '8' })], [hydrated({ accounts: [account('joel')], statuses })])
    expect(views.statuses.map(({ id }) => id).toSorted()).toEqual(['4', '5', '6', '7', '8'])
    expect(views.accounts.map(({ id }) => id)).toEqual(['joel', 'zoe'])
  })

  test('includes reports, each once, and whom they are about', () => {
    const of = [
      hydrated({ accounts: [account('joel')], reports: [{ id: '9', targetId: 'zoe' }, { id: '8' }], ofReports: [account('zoe')] }),
    ]
    const rows = [row('1', { reportId: '9' }), row('2', { reportId: '9' })]
    expect(reportsOf(rows, of).map(({ id }) => id)).toEqual(['9'])
    expect(viewsOf(rows, of).accounts.map(({ id }) => id)).toEqual(['joel', 'zoe'])
  })
})

test('a row without a status or a report names none', () => {
  expect(notificationOf(row('1'), new Map())).toEqual({
    id: '1',
    type: 'mention',
    createdAtMilliseconds: 5,
    accountId: 'joel',
    statusId: '',
    reportId: undefined,
  })
})
