import { Report, ReportOperatorDefinition } from '@rookery/contracts/statuses'
import { notFound } from '@rookery/failures'
import { handler } from '@rookery/rpc'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type OperatorSocket, openOperatorSocket } from './operator-socket.ts'

describe('reports', () => {
  let socket: OperatorSocket
  let reports: Report[]

  const operator = handler(ReportOperatorDefinition, {
    list: async (_call, { withResolved }) => {
      const listed = reports.filter((each) => withResolved || each.actionTakenAtMilliseconds === undefined)
      return { reports: listed.map((report) => ({ report, username: 'anna', targetUsername: 'bert' })) }
    },
    resolve: async (_call, { id }) => {
      const report = reports.find((each) => each.id === id)
      if (!report) throw notFound()
      report.actionTakenAtMilliseconds = 1
      return {}
    },
  })

  beforeEach(async () => {
    socket = await openOperatorSocket(operator)
    const given = { category: 'spam', comment: 'look\n\u001b[2Jhere', statusIds: ['3', '4'], createdAtMilliseconds: 0 }
    reports = [Report.fromPartial({ ...given, id: '7' })]
  })
  afterEach(() => socket.close())

  const run = (...words: string[]) => socket.run(...words)

  test('are listed on a line each, regardless of what is in them, and resolved', async () => {
    const line = '7  1970-01-01T00:00:00.000Z  anna on bert  spam  statuses 3, 4'
    expect((await run('reports', 'list')).printed).toEqual([`${line}  look [2Jhere`])
    expect((await run('reports', 'resolve', '7')).printed).toEqual(['Report 7 is resolved.'])
    expect((await run('reports', 'list')).printed).toEqual(['There are no reports.'])
    expect((await run('reports', 'list', '--all')).printed).toEqual([`${line}  resolved  look [2Jhere`])
    expect(await run('reports', 'resolve', '8')).toMatchObject({ code: 1, printed: [], complained: ['Record not found'] })
  })
})
