import type { Answer, Person, World } from '@rookery/test-world'
import { signIn } from '@rookery/test-world/page-browser'
import { runJob } from '@rookery/test-world/queries'
import { type Random, randomFrom } from '@rookery/test-world/random'
import { liveliness } from './acts.ts'
import { differences, type Viewer } from './answers.ts'
import { Facts } from './facts.ts'
import { contradictions, drawTogether, isDeletion, learnPairs } from './races.ts'
import { type Act, type Json, type Maker, publish, saidFrom } from './stage.ts'

const PEOPLE = 12
/** How much time passes after a round, in milliseconds. */
const PAUSES = [0, 0, 0, 0, 0, 0, 1000, 1000, 61_000, 61_000, 3_600_000, 3_600_000, 86_400_000]

type Walk = { world: World; facts: Facts; people: readonly Person[]; random: Random; faults: string[]; log: string[] }

const line = ({ by, method, path, body }: Act, { status, body: answer, text }: Answer) =>
  `${status} ${by.username} ${method} ${path} ${JSON.stringify(body ?? '')} ${status === 200 ? answer?.id : text}`

/** Deletes an account on its page. */
const leave = async (world: World, person: Person): Promise<Answer> => {
  const visitor = await signIn(world, person)
  const page = await visitor.visit('/auth/account/delete')
  const { text } = await visitor.submit(page, { current_password: `${person.username}-password` })
  return { status: text.includes('Your account is deleted') ? 200 : 400, text, headers: new Headers(), body: {} }
}

/** Does acts at once, and notes what of them was acknowledged: deletions last, because nothing of a record stays. */
const doTogether = async ({ faults, log }: Walk, acts: readonly Act[]) => {
  const answers = await Promise.all(acts.map(({ by, method, path, body, send }) => (send ? send() : by.asks(method, path, { body }))))
  const done = acts.map((act, index) => ({ act, answer: answers[index]! }))
  for (const { act, answer } of done.toSorted((a, b) => Number(isDeletion(a.act)) - Number(isDeletion(b.act)))) {
    log.push(line(act, answer))
    if (answer.status >= 500) faults.push(line(act, answer))
    if (answer.status === 200 || (answer.status === 404 && act.isDoneUnseen)) act.done(answer.body)
  }
  return done
}

/** Takes back the acts of which no one knows whether a block came before them. */
const takeBack = async (done: readonly { act: Act; answer: Answer }[], raced: ReadonlySet<string>) => {
  for (const { act, answer } of done) {
    if (!act.undo || answer.status !== 404 || !act.reads.some((fact) => raced.has(fact))) continue
    await act.by.post(act.undo.path)
    act.undo.done()
  }
}

/** Notes the scheduled statuses that came due. One that cannot be published is a draft: its author is suspended, or its parent deleted. */
const publishDue = async ({ world, facts, people, faults }: Walk) => {
  const now = world.clock.now()
  const due = facts.scheduled.filter((each) => each.due <= now)
  facts.scheduled = facts.scheduled.filter((each) => each.due > now)
  for (const { by, text, parent } of due) {
    if (!facts.isShown(by)) continue
    const own: Json[] = (await people.find(({ id }) => id === by)!.get(`/api/v1/accounts/${by}/statuses?limit=40`)).body
    const said = own.find(({ content }) => content.includes(`${text.split(' ')[0]} `))
    const isParentThere = parent && facts.statuses.has(parent.id)
    if (said)
      publish(facts, saidFrom(said, parent && { parent: isParentThere ? parent.id : undefined, thread: parent.thread, answers: parent.by }))
    else if (!parent) faults.push(`not published: ${text}`)
  }
}

/** One round of a walk: up to eight acts at once, then all that follows from them. */
const round = async (walk: Walk, next: Maker) => {
  const { world, facts, people, random, faults } = walk
  const { acts, raced } = drawTogether(facts, next, random)
  const done = await doTogether(walk, acts)
  await world.advance(random.of(PAUSES))
  await runJob(world, 'end-mutes')
  facts.endMutes(world.clock.now())
  await publishDue(walk)
  await takeBack(done, raced)
  await world.idle()
  await learnPairs(facts, people, raced)
  faults.push(...contradictions(facts))
  return done.filter(({ answer }) => answer.status === 200).length
}

/** The result of a walk: differences, how many acts were acknowledged and how many values were compared, and the acts. */
type Result = { faults: string[]; acts: number; values: number; log: string[] }

/** Twelve people do things at random for some rounds; every few rounds, and at the end, all that is shown is compared with the facts. */
export const takeWalk = async (world: World, { seed, rounds, every }: Record<'seed' | 'rounds' | 'every', number>): Promise<Result> => {
  const random = randomFrom(seed)
  const owner = await world.owner('owner')
  const people = Object.values(await world.cast(...Array.from({ length: PEOPLE }, (_, index) => `person${index}`)))
  const walk: Walk = { world, facts: new Facts(), people, random, faults: [], log: [] }
  const { facts, faults, log } = walk
  for (const { id, username } of people) {
    facts.accounts.set(id, { id, username, isLocked: false, isSuspended: false, isSilenced: false, isGone: false, lastDay: null })
    log.push(`${username} is ${id}`)
  }
  const next = liveliness({ facts, people, owner, random, now: () => world.clock.now(), leave: (person) => leave(world, person) })
  let [acts, values] = [0, 0]
  const compareAs = async (viewers: readonly Viewer[], share: number) => {
    for (const viewer of viewers) {
      const found = await differences({ facts, viewer, now: world.clock.now(), isChosen: () => random.chance(share) })
      values += found.values
      faults.push(...found.faults)
    }
  }
  const anonymous: Viewer = { id: '', get: (path) => world.get(path) }
  const active = () => people.filter(({ id }) => facts.isShown(id))
  for (let count = 1; count <= rounds && faults.length === 0; count++) {
    acts += await round(walk, next)
    if (count % every === 0) await compareAs([anonymous, random.of(active())], 0.2)
  }
  if (faults.length === 0) await compareAs([anonymous, ...active().slice(0, 4)], 0.5)
  return { faults, acts, values, log }
}
