import { type Facts, key } from './facts.ts'
import { type Drawing, existenceOf, type Json, type Maker, pairOf, type Stage } from './stage.ts'

// Acts between two accounts.

type Effect = (by: string, to: string, form: Json) => void

/** The effect of a follow: a request to a locked account, or by a silenced one; a repeat only changes the options. */
const follow =
  (facts: Facts): Effect =>
  (by, to, form) => {
    const pair = key(by, to)
    const former = facts.follows.get(pair) ?? facts.requests.get(pair)
    const options = { reblogs: true, notify: false, languages: [], ...former, ...form }
    const mustAsk = facts.accounts.get(to)!.isLocked || facts.accounts.get(by)!.isSilenced
    const isFollow = former ? facts.follows.has(pair) : !mustAsk
    const relation = isFollow ? facts.follows : facts.requests
    relation.set(pair, options)
    if (!former) facts.notify(to, isFollow ? 'follow' : 'follow_request', by)
  }

/** The effect of a mute: with notifications, those of the account are removed. */
const mute =
  (facts: Facts, now: () => number): Effect =>
  (by, to, { notifications = true, duration }) => {
    if (notifications) facts.withdraw(by, undefined, to)
    facts.mutes.set(key(by, to), { notifications, until: duration ? now() + duration * 1000 : undefined })
  }

/** Makes acts; `fact` is one of its own for those that no other relation depends on. */
const making =
  (random: Stage['random'], { actor, person }: Drawing) =>
  (verb: string, done: Effect, { forms = [{}], fact = '' }: { forms?: Json[]; fact?: string } = {}): Maker =>
  () => {
    const [by, to, form] = [actor(), person(), random.of(forms)]
    if (by.id === to.id) return undefined
    const decisive = [`locked ${to.id}`, `locked ${by.id}`, `mute ${to.id} ${by.id}`, `mute ${by.id} ${to.id}`]
    return {
      ...{ by, method: 'POST', path: `/api/v1/accounts/${to.id}/${verb}`, body: form },
      writes: fact ? [`${fact} ${by.id} ${to.id}`] : [pairOf(by.id, to.id)],
      reads: [...(fact ? [] : decisive), ...existenceOf(by.id, to.id)],
      done: () => done(by.id, to.id, form),
    }
  }

const OPTIONS = [{ reblogs: false }, { notify: true }, { reblogs: true, notify: false }, { languages: ['en'] }, { languages: ['de', 'en'] }]
const MUTES = [{}, {}, { duration: 60 }, { duration: 60, notifications: false }]

export const relating = ({ facts, random, now }: Stage, drawing: Drawing) => {
  const act = making(random, drawing)
  return {
    follow: act('follow', follow(facts)),
    adjust: act('follow', follow(facts), { forms: OPTIONS }),
    unfollow: act('unfollow', (by, to) => facts.unfollow(by, to)),
    removeFollower: act('remove_from_followers', (by, to) => facts.follows.has(key(to, by)) && facts.unfollow(to, by)),
    block: act('block', (by, to) => facts.block(by, to)),
    unblock: act('unblock', (by, to) => facts.blocks.delete(key(by, to))),
    mute: act('mute', mute(facts, now), { forms: MUTES, fact: 'mute' }),
    unmute: act('unmute', (by, to) => facts.mutes.delete(key(by, to)), { fact: 'mute' }),
    note: act('note', (by, to, { comment }) => facts.notes.set(key(by, to), comment), {
      forms: [{ comment: '' }, { comment: 'friend' }],
      fact: 'note',
    }),
    endorse: act('endorse', (by, to) => facts.endorsed.add(key(by, to))),
    unendorse: act('unendorse', (by, to) => facts.endorsed.delete(key(by, to))),
  }
}

/** Answers to follow requests, locking and unlocking. */
export const admitting = ({ facts, random, people }: Stage, { actor, active, draw }: Drawing) => {
  const answer: Maker = () => {
    const [from, to] = draw([...facts.requests.keys()])?.split(' ') ?? []
    const by = active().find(({ id }) => id === to)
    if (!from || !by) return undefined
    const verb = random.of(['authorize', 'reject'])
    return {
      ...{ by, method: 'POST', path: `/api/v1/follow_requests/${from}/${verb}`, writes: [pairOf(from, by.id)] },
      reads: [`mute ${by.id} ${from}`, ...existenceOf(from, by.id)],
      done: () => (verb === 'authorize' ? facts.accept(from, by.id) : facts.reject(from, by.id)),
    }
  }
  const lock: Maker = () => {
    const by = actor()
    const account = facts.accounts.get(by.id)!
    const locked = !account.isLocked
    const mutes = people.map(({ id }) => `mute ${by.id} ${id}`)
    return {
      ...{ by, method: 'PATCH', path: '/api/v1/accounts/update_credentials', body: { locked } },
      writes: [`locked ${by.id}`, ...facts.requesters(by.id).map((from) => pairOf(from, by.id))],
      reads: [...existenceOf(by.id), ...mutes],
      done: () => {
        account.isLocked = locked
        if (!locked) for (const from of facts.requesters(by.id)) facts.accept(from, by.id)
      },
    }
  }
  return { answer, lock }
}
