import { SuggestionOperatorDefinition } from '@rookery/contracts/statuses'
import { innerCall, operatorClient } from '@rookery/test-world/calls'
import type { Domains } from './domains.ts'
import type { Account, Area, Json, Maker, Stage } from './stage.ts'
import { called, idsOf, judging, request } from './stage.ts'

// Whom people are suggested, and whom they know among others' followers.

const isReachable = ({ isSuspended, isDisabled }: Account) => !isSuspended && !isDisabled

export const knowingArea = (stage: Stage, domains: Domains): Area => {
  const { world, random, people, accounts } = stage
  const { isIn } = judging(stage)
  const client = operatorClient(world, SuggestionOperatorDefinition)
  const picked = new Set<string>()
  const dismissed = new Set<string>()
  const features = new Set<string>()
  const pick: Maker = () => {
    const account = random.of([...accounts.values()].filter(({ domain }) => domain === undefined))
    const isPicked = picked.has(account.id)
    return {
      what: `${isPicked ? 'unpick' : 'pick'} ${account.username}`,
      send: () => called(() => client[isPicked ? 'unpick' : 'pick'](innerCall(), { acct: account.username })),
      wanted: 200,
      ...{ keys: [], fixed: [`account ${account.id}`, 'picks'] },
      done: () => (isPicked ? picked.delete(account.id) : picked.add(account.id)),
    }
  }
  const dismiss: Maker = () => {
    const [by, account] = [random.of(people), random.of([...accounts.values()])]
    return {
      ...request(by, 'DELETE', `/api/v1/suggestions/${account.id}`),
      wanted: isIn(by) ? 200 : 403,
      ...{ keys: [], fixed: [`account ${by.id}`, `account ${account.id}`] },
      done: () => dismissed.add(`${by.id} ${account.id}`),
    }
  }
  const feature: Maker = () => {
    const by = random.of(people)
    return {
      ...request(by, 'POST', '/api/v1/featured_tags', { name: 'tea' }),
      wanted: isIn(by) ? (features.has(by.id) ? 422 : 200) : 403,
      ...{ keys: [], fixed: [`account ${by.id}`] },
      done: () => features.add(by.id),
    }
  }
  return {
    makers: [
      [2, pick],
      [1, dismiss],
      [1, feature],
    ],
    compare: async ({ viewer, compare }) => {
      if (viewer.id && !isIn(viewer)) return
      for (const { id, username, isSuspended } of accounts.values()) {
        const { body } = await viewer.get(`/api/v1/accounts/${id}/featured_tags`)
        compare(
          `featured tags of ${username}`,
          body.map(({ name }: Json) => name),
          features.has(id) && !isSuspended ? ['tea'] : [],
        )
      }
      if (!viewer.id) return
      const all = [...accounts.values()]
      const { body } = await viewer.get(`/api/v1/accounts/familiar_followers?${all.map(({ id }) => `id[]=${id}`).join('&')}`)
      for (const account of all) {
        const is = body.find(({ id }: Json) => id === account.id)
        const known = all.filter(
          (each) => isReachable(each) && domains.isFollowed(viewer.id, each.id) && domains.isFollowed(each.id, account.id),
        )
        compare(`familiar followers of ${account.username}`, is && idsOf(is.accounts), account.isSuspended ? undefined : idsOf(known))
      }
      const { body: suggested } = await viewer.get('/api/v2/suggestions?limit=80')
      const ids: string[] = suggested.map(({ account }: Json) => account.id)
      const mayBe = (account: Account) =>
        isReachable(account) &&
        !account.movedTo &&
        !account.isSilenced &&
        account.id !== viewer.id &&
        !domains.isFollowed(viewer.id, account.id) &&
        !dismissed.has(`${viewer.id} ${account.id}`)
      compare(
        'wrong suggestions',
        ids.filter((id) => accounts.has(id) && !mayBe(accounts.get(id)!)),
        [],
      )
      const wanted = all.filter((account) => picked.has(account.id) && mayBe(account))
      compare(
        'picks suggested',
        suggested
          .filter(({ sources }: Json) => sources.includes('featured'))
          .map(({ account }: Json) => account.id)
          .toSorted(),
        idsOf(wanted),
      )
    },
  }
}
