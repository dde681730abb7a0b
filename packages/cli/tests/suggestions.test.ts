import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SuggestionOperatorDefinition } from '@rookery/contracts/statuses'
import { notFound } from '@rookery/failures'
import { handler, serve } from '@rookery/rpc'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runCommand } from '../src/index.ts'

describe('accounts suggested to everyone', () => {
  let folder: string
  let picked: string[]
  let server: Awaited<ReturnType<typeof serve>>

  const operator = handler(SuggestionOperatorDefinition, {
    pick: async (_call, { acct }) => {
      picked.push(acct)
      return { accountId: '1', username: acct }
    },
    unpick: async (_call, { acct }) => {
      if (!picked.includes(acct)) throw notFound()
      picked = picked.filter((each) => each !== acct)
      return { accountId: '1', username: acct }
    },
    listPicks: async () => ({ picks: picked.map((username) => ({ accountId: '1', username })) }),
  })

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'command-'))
    picked = []
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

  test('are added, listed and removed', async () => {
    expect((await run('suggestions', 'add', 'anna')).printed).toEqual(['anna is suggested to everyone.'])
    await run('suggestions', 'add', 'bert')
    expect((await run('suggestions', 'list')).printed).toEqual(['anna', 'bert'])
    expect((await run('suggestions', 'remove', 'anna')).printed).toEqual(['anna is no longer suggested to everyone.'])
    expect((await run('suggestions', 'list')).printed).toEqual(['bert'])
    expect(await run('suggestions', 'remove', 'anna')).toMatchObject({ code: 1, printed: [] })
    expect((await run('suggestions', 'add')).code).toBe(1)
  })
})
