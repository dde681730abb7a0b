import { MovesDefinition } from '@rookery/contracts/statuses'
import { innerCall, innerClient } from '@rookery/test-world/calls'
import type { Domains } from './domains.ts'
import type { Act, Area, Json, Maker, Stage } from './stage.ts'
import { called, judging } from './stage.ts'

// Accounts that move, with their followers.

export const movesArea = (stage: Stage, domains: Domains): Area => {
  const { world, random, people, accounts } = stage
  const { account, isIn } = judging(stage)
  const client = innerClient(world, MovesDefinition)
  /** The accounts that may move to an account. */
  const aliases = new Set<string>()
  const two = () => [account(random.of(people).id), account(random.of(people).id)] as const
  const fixed = (...ids: string[]) => ({ keys: [], fixed: ['moves', 'domains', ...ids.map((id) => `account ${id}`)] })
  const everyone = [...accounts.keys()]
  const name: Maker = () => {
    const [one, other] = two()
    return {
      what: `${one.username} names ${other.username} as an alias`,
      send: () => called(() => client.addAlias(innerCall(), { accountId: one.id, acct: other.username })),
      wanted: one === other || other.isSuspended ? 422 : 200,
      ...fixed(one.id, other.id),
      done: () => aliases.add(`${one.id} ${other.id}`),
    }
  }
  const unname: Maker = () => {
    const [one, other] = two()
    return {
      what: `${one.username} no longer names ${other.username}`,
      send: () => called(() => client.removeAlias(innerCall(), { accountId: one.id, aliasId: other.id })),
      wanted: 200,
      ...fixed(one.id, other.id),
      done: () => aliases.delete(`${one.id} ${other.id}`),
    }
  }
  const move: Maker = () => {
    const [from, to] = two()
    if (!isIn(from)) return undefined
    const isRefused = from === to || to.isSuspended || !aliases.has(`${to.id} ${from.id}`) || to.movedTo !== undefined
    return {
      what: `${from.username} moves to ${to.username}`,
      send: () => called(() => client.start(innerCall(), { accountId: from.id, acct: to.username })),
      wanted: isRefused ? 422 : 200,
      ...fixed(...everyone),
      done: () => {
        from.movedTo = to.id
        for (const pair of [...domains.follows]) {
          const [follower, followed] = pair.split(' ') as [string, string]
          if (followed !== from.id || follower === to.id || account(follower).domain !== undefined) continue
          domains.follows.delete(pair)
          domains.follows.add(`${follower} ${to.id}`)
        }
      },
    }
  }
  const undo: Maker = () => {
    const from = account(random.of(people).id)
    return {
      what: `${from.username} takes the move back`,
      send: () => called(() => client.undo(innerCall(), { accountId: from.id })),
      wanted: 200,
      ...fixed(from.id),
      done: () => {
        from.movedTo = undefined
      },
    }
  }
  return {
    makers: [
      [4, name],
      [1, unname],
      [6, move],
      [2, undo],
    ],
    undo: () =>
      [...accounts.values()]
        .filter(({ movedTo }) => movedTo !== undefined)
        .map((from): Act => {
          const send = () => called(() => client.undo(innerCall(), { accountId: from.id }))
          const done = () => Object.assign(from, { movedTo: undefined })
          return { what: `${from.username} takes the move back`, send, wanted: 200, keys: [], done }
        }),
    compare: async ({ viewer, compare }) => {
      if (viewer.id && !isIn(viewer)) return
      for (const { id, username, movedTo, isSuspended } of accounts.values()) {
        const { body } = await viewer.get(`/api/v1/accounts/${id}`)
        compare(`${username} moved`, body.moved?.id, isSuspended ? undefined : movedTo)
        if (isSuspended) continue
        const { body: followers } = await viewer.get(`/api/v1/accounts/${id}/followers?limit=80`)
        const wanted = everyone.filter((other) => domains.isFollowed(other, id) && !account(other).isSuspended)
        compare(`followers of ${username}`, followers.map((each: Json) => each.id).toSorted(), wanted.toSorted())
      }
    },
  }
}
