import { type CompareFeedsRequest, FeedOperatorDefinition } from '@rookery/contracts/statuses'
import { Failure } from '@rookery/failures'
import { handler } from '@rookery/rpc'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type OperatorSocket, openOperatorSocket } from './operator-socket.ts'

describe('comparing feeds', () => {
  let socket: OperatorSocket
  let asked: CompareFeedsRequest[]

  // 120 people, of whom the 60th lacks two entries.
  const operator = handler(FeedOperatorDefinition, {
    compare: async (_call, request) => {
      asked.push(request)
      if (request.username === 'nobody') throw new Failure('not_found', 'There is no account nobody.')
      const first = Number(request.afterId || 0) + 1
      const compared = request.username ? 1 : Math.min(request.limit, 121 - first)
      const isAmong = first <= 60 && 60 < first + compared
      return { compared, differences: isAmong ? [{ accountId: '60', missing: 2, unwanted: 0 }] : [], lastId: String(first + compared - 1) }
    },
  })

  beforeEach(async () => {
    socket = await openOperatorSocket(operator)
    asked = []
  })
  afterEach(() => socket.close())

  const run = (...words: string[]) => socket.run(...words)

  test('goes through everyone and fails when a home differs', async () => {
    const printed = ['60\t2 missing\t0 unwanted', '120 compared, 1 differ.']
    expect(await run('feeds', 'compare')).toEqual({ code: 1, complained: [], printed })
    expect(asked.map(({ afterId, repair }) => [afterId, repair])).toEqual([
      ['', false],
      ['50', false],
      ['100', false],
    ])
  })

  test('mends on request', async () => {
    expect(await run('feeds', 'compare', '--repair')).toMatchObject({
      code: 0,
      printed: [expect.any(String), '120 compared, 1 differ, and were mended.'],
    })
    expect(asked[0]?.repair).toBe(true)
    expect(JSON.parse((await run('feeds', 'compare', '--repair', '--json')).printed[0]!)).toMatchObject({ compared: 120 })
  })

  test('takes one account alone', async () => {
    expect(await run('feeds', 'compare', '--account', 'mara')).toEqual({ code: 0, complained: [], printed: ['1 compared, 0 differ.'] })
    expect(asked).toMatchObject([{ username: 'mara' }])
    expect(await run('feeds', 'compare', '--account', 'nobody')).toEqual({
      code: 1,
      printed: [],
      complained: ['There is no account nobody.'],
    })
  })
})
