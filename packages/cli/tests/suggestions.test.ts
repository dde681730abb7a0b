import { SuggestionOperatorDefinition } from '@rookery/contracts/statuses'
import { notFound } from '@rookery/failures'
import { handler } from '@rookery/rpc'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type OperatorSocket, openOperatorSocket } from './operator-socket.ts'

describe('accounts suggested to everyone', () => {
  let socket: OperatorSocket
  let picked: string[]

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
    socket = await openOperatorSocket(operator)
    picked = []
  })
  afterEach(() => socket.close())

  const run = (...words: string[]) => socket.run(...words)

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
