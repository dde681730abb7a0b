import type { Person } from '@rookery/test-world'
import { type Facts, key, type Said } from './facts.ts'
import {
  type Drawing,
  existenceOf,
  type Json,
  type Maker,
  newPoll,
  notifiedOf,
  POLICIES,
  publish,
  type Stage,
  saidFrom,
  TAGS,
  VISIBILITIES,
} from './stage.ts'

// Posts, and what authors do to them.

/** New statuses: plain ones, replies, quotes, polls. */
export const posting = (stage: Stage, { actor, status, text }: Drawing) => {
  const { facts, random } = stage
  const existing = (id: string) => (facts.statuses.has(id) ? id : undefined)
  const post = (more: Json, fact: () => Partial<Said> = () => ({}), reads: (by: string, named?: string) => string[] = () => []) => {
    const [by, words] = [actor(), text()]
    return {
      ...{ by, method: 'POST', path: '/api/v1/statuses', writes: [] },
      body: { status: words.status, visibility: random.of(VISIBILITIES), ...more },
      reads: [...existenceOf(by.id), ...reads(by.id, words.named), ...notifiedOf(by.id, words.named)],
      done: (body: Json) => publish(facts, saidFrom(body, fact())),
    }
  }
  const reply: Maker = () => {
    const to = status()
    const fact = () => ({ parent: existing(to!.id), thread: to!.thread, answers: to!.by })
    return (
      to &&
      post({ in_reply_to_id: to.id }, fact, (by, named) => [`status ${to.id}`, `threads ${to.thread}`, ...notifiedOf(by, named, to.by)])
    )
  }
  const quote: Maker = () => {
    const quoted = status()
    const fact = () => ({ quote: { of: existing(quoted!.id), isAccepted: true } })
    return quoted && post({ quoted_status_id: quoted.id }, fact, (by) => [`status ${quoted.id}`, ...notifiedOf(by, quoted.by)])
  }
  const poll: Maker = () => {
    const { form, fact } = newPoll(stage)
    return post({ poll: form }, () => ({ poll: fact }))
  }
  return { plain: () => post({ quote_approval_policy: random.of(POLICIES) }), reply, quote, poll }
}

/** Statuses for later. The text of each is its own, by which it is found once it is published. */
export const scheduling =
  ({ facts, random, now }: Stage, { actor, status }: Drawing): Maker =>
  () => {
    const by = actor()
    const due = now() + random.of([301_000, 3_500_000])
    const parent = random.chance(0.5) ? status() : undefined
    const text = `later${facts.scheduled.length}x${now()} #${random.of(TAGS)}`
    const more = { visibility: random.of(VISIBILITIES), scheduled_at: new Date(due).toISOString(), in_reply_to_id: parent?.id }
    return {
      ...{ by, method: 'POST', path: '/api/v1/statuses', body: { status: text, ...more }, writes: [] },
      reads: [...existenceOf(by.id), ...(parent ? [`status ${parent.id}`] : [])],
      done: () => facts.scheduled.push({ by: by.id, due, text, parent }),
    }
  }

/** Replaces a poll, keeping the votes if the question is the same. */
const withPoll = (said: Said, poll: Said['poll']) => {
  const former = said.poll
  const isSame = former && poll && former.isMultiple === poll.isMultiple && former.options.length === poll.options.length
  if (poll) said.poll = isSame ? { ...poll, votes: former.votes } : poll
  else delete said.poll
}

/** The effect of an edit: those mentioned before keep access, and those added are notified. */
const edited = (facts: Facts, said: Said, after: Said, poll: Said['poll']) => {
  const added = after.mentions.filter((id) => !said.mentions.includes(id))
  said.tags = after.tags
  said.mentions.push(...added)
  withPoll(said, poll)
  const listed = { ...said, mentions: after.mentions }
  for (const id of added) facts.notifyOfMention(id, listed)
}

/** Deletions, edits and pins. */
export const authoring = (stage: Stage, { actor, ownStatus, text }: Drawing) => {
  const { facts, random } = stage
  const own =
    (make: (by: Person, said: Said) => ReturnType<Maker>): Maker =>
    () => {
      const by = actor()
      const said = ownStatus(by.id)
      return said && make(by, said)
    }
  const remove = own((by, { id }) => ({
    ...{ by, method: 'DELETE', path: `/api/v1/statuses/${id}`, writes: [`status ${id}`], reads: existenceOf(by.id) },
    done: () => facts.remove(id),
  }))
  const edit = own((by, said) => {
    const poll = random.chance(0.4) ? newPoll(stage) : undefined
    const { status, named } = text()
    return {
      ...{ by, method: 'PUT', path: `/api/v1/statuses/${said.id}`, body: { status, poll: poll?.form }, writes: [`status ${said.id}`] },
      reads: [...existenceOf(by.id), ...notifiedOf(by.id, named, said.answers), `threads ${said.thread}`],
      done: (body: Json) => edited(facts, said, saidFrom(body), poll?.fact),
    }
  })
  const pin = (verb: 'pin' | 'unpin') =>
    own((by, { id }) => ({
      ...{
        by,
        method: 'POST',
        path: `/api/v1/statuses/${id}/${verb}`,
        writes: [`pins ${by.id}`],
        reads: [`status ${id}`, ...existenceOf(by.id)],
      },
      done: () => (verb === 'pin' && facts.statuses.has(id) ? facts.pins.add(key(by.id, id)) : facts.pins.delete(key(by.id, id))),
    }))
  return { remove, edit, pin: pin('pin'), unpin: pin('unpin') }
}

/** What quoted authors decide. */
export const quoting = ({ facts, random, people }: Stage, { actor, ownStatus, active, draw }: Drawing) => {
  const revoke: Maker = () => {
    const said = draw([...facts.statuses.values()].filter(({ quote }) => quote?.of && quote.isAccepted))
    const of = said && facts.statuses.get(said.quote!.of!)
    const by = people.find(({ id }) => id === of?.by)
    if (!said || !of || !by || !active().includes(by)) return undefined
    return {
      ...{ by, method: 'POST', path: `/api/v1/statuses/${of.id}/quotes/${said.id}/revoke`, isDoneUnseen: true },
      ...{ writes: [`status ${said.id}`], reads: [`status ${of.id}`, ...existenceOf(by.id, said.by)] },
      done: () => {
        said.quote!.isAccepted = false
      },
    }
  }
  const policy: Maker = () => {
    const by = actor()
    const said = ownStatus(by.id)
    const body = { quote_approval_policy: random.of(POLICIES) }
    const path = `/api/v1/statuses/${said?.id}/interaction_policy`
    return said && { by, method: 'PUT', path, body, writes: [`status ${said.id}`], reads: existenceOf(by.id), done: () => {} }
  }
  return { revoke, policy }
}
