import type { Person } from '@rookery/test-world'
import { type Account, key } from './facts.ts'
import { type Act, type Drawing, existenceOf, type Json, type Maker, pairOf, type Stage, TAGS } from './stage.ts'

// Lists and tags that people keep; accounts that leave, and what staff do to accounts.

export const listing = ({ facts }: Stage, { actor, person, active, draw }: Drawing) => {
  const create: Maker = () => {
    const by = actor()
    const done = ({ id }: Json) => facts.lists.set(id, { owner: by.id, members: new Set() })
    return { by, method: 'POST', path: '/api/v1/lists', body: { title: 'list' }, writes: [], reads: existenceOf(by.id), done }
  }
  const withList =
    (make: (by: Person, id: string) => Act): Maker =>
    () => {
      const [id, list] = draw([...facts.lists]) ?? []
      const by = active().find((each) => each.id === list?.owner)
      return id && by ? make(by, id) : undefined
    }
  const change = (method: 'POST' | 'DELETE') =>
    withList((by, id) => {
      const other = person().id
      const members = () => facts.lists.get(id)?.members
      return {
        ...{ by, method, path: `/api/v1/lists/${id}/accounts`, body: { account_ids: [other] } },
        ...{ writes: [pairOf(by.id, other)], reads: [`list ${id}`, ...existenceOf(by.id, other)] },
        done: () => (method === 'POST' ? members()?.add(other) : members()?.delete(other)),
      }
    })
  const remove = withList((by, id) => ({
    ...{ by, method: 'DELETE', path: `/api/v1/lists/${id}`, writes: [`list ${id}`], reads: existenceOf(by.id) },
    done: () => facts.lists.delete(id),
  }))
  return { create, remove, join: change('POST'), leave: change('DELETE') }
}

export const tagging = ({ facts, random }: Stage, { actor }: Drawing) => {
  const act =
    (verb: string, fact: string, done: (mark: string) => void): Maker =>
    () => {
      const [by, name] = [actor(), random.of(TAGS)]
      const request = { by, method: 'POST', path: `/api/v1/tags/${name}/${verb}` }
      return { ...request, writes: [`${fact} ${by.id} ${name}`], reads: existenceOf(by.id), done: () => done(key(by.id, name)) }
    }
  return {
    feature: act('feature', 'feature', (mark) => facts.featuredTags.add(mark)),
    unfeature: act('unfeature', 'feature', (mark) => facts.featuredTags.delete(mark)),
    follow: act('follow', 'tag-follow', (mark) => facts.followedTags.add(mark)),
    unfollow: act('unfollow', 'tag-follow', (mark) => facts.followedTags.delete(mark)),
  }
}

/** Someone deletes their account, while there are others enough. */
export const leaving =
  ({ facts, leave }: Stage, { active, draw }: Drawing): Maker =>
  () => {
    const by = active().length < 7 ? undefined : draw(active())
    const done = () => facts.leave(by!.id)
    return by && { by, method: 'DELETE', path: '/account', writes: existenceOf(by.id), reads: [], send: () => leave(by), done }
  }

export const moderating = ({ facts, owner }: Stage, { here, draw }: Drawing) => {
  const act =
    (path: string, body: Json, change: Partial<Account>, isFit: (account: Account) => boolean): Maker =>
    () => {
      const account = facts.accounts.get(draw(here().filter(({ id }) => isFit(facts.accounts.get(id)!)))?.id ?? '')
      const done = () => Object.assign(account!, change)
      return (
        account && {
          by: owner,
          method: 'POST',
          path: `/api/v1/admin/accounts/${account.id}/${path}`,
          body,
          writes: existenceOf(account.id),
          reads: [],
          done,
        }
      )
    }
  const isLimited = ({ isSilenced, isSuspended }: Account) => isSilenced || isSuspended
  return {
    suspend: act('action', { type: 'suspend' }, { isSuspended: true }, ({ isSuspended }) => !isSuspended),
    unsuspend: act('unsuspend', {}, { isSuspended: false }, ({ isSuspended }) => isSuspended),
    silence: act('action', { type: 'silence' }, { isSilenced: true }, (account) => !isLimited(account)),
    unsilence: act('unsilence', {}, { isSilenced: false }, ({ isSilenced }) => isSilenced),
  }
}
