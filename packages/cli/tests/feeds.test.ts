import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CompareFeedsRequest, FeedOperatorDefinition } from '@rookery/contracts/statuses'
import { Failure } from '@rookery/failures'
import { handler, serve } from '@rookery/rpc'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runCommand } from '../src/index.ts'

describe('comparing feeds', () => {
  let folder: string
  let asked: CompareFeedsRequest[]
  let server: Awaited<ReturnType<typeof serve>>

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
    folder = mkdtempSync(join(tmpdir(), 'command-'))
    asked = []
    server = await serve([operator], `unix:${join(folder, 'operator.sock')}`)
  })
  afterEach(async () => {
    await server.stop(0)
    rmSync(folder, { recursive: true })
  })

  const run = async (...words: string[]) => {
    const [printed, complained]: [string[], string[]] = [[], []]
    const code = await runCommand(words, { print: (line) => printed.push(line), complain: (line) => complained.push(line) }, folder)
    return { code, printed, complained }
  }

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
