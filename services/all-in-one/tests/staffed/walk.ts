import type { World } from '@rookery/test-world'
import { areasOf } from './areas.ts'
import { open } from './opening.ts'
import { type Act, type Area, idsOf, type Json, type Outcome, type Stage, type Viewer } from './stage.ts'

const AT_ONCE = 4
/** How much time passes after a round, in milliseconds. */
const PAUSES = [0, 0, 0, 1000, 61_000, 3_600_000, 86_400_000]

/** The result of a walk: differences, how many acts were acknowledged and how many values were compared, and the acts. */
type Result = { faults: string[]; acts: number; values: number; log: string[] }
type Walk = { stage: Stage; areas: readonly Area[]; draw: () => Act | undefined; result: Result }

const isShared = (keys: readonly string[], others: readonly string[] = []) => others.some((key) => keys.includes(key))

/** Whether two acts must not come at the same time: what would come of it cannot be read. */
const excludes = (one: Act, other: Act) =>
  isShared(one.fixed ?? [], other.fixed) || isShared(one.keys, other.fixed) || isShared(one.fixed ?? [], other.keys)

/** The keys of acts that came at the same time as another on the same record. */
const racedOn = (acts: readonly Act[]): Set<string> => {
  const racing = acts.filter((act) => acts.some((other) => other !== act && isShared(act.keys, other.keys)))
  return new Set(racing.flatMap(({ keys }) => keys))
}

/** Draws acts to be done at once; in some rounds they may race. */
const drawTogether = ({ stage: { random }, draw }: Walk): Act[] => {
  const [acts, mayRace]: [Act[], boolean] = [[], random.chance(0.3)]
  for (let tries = 0; acts.length < AT_ONCE && tries < 40; tries++) {
    const act = draw()
    if (!act || acts.some((other) => excludes(act, other))) continue
    if (mayRace || !acts.some((other) => isShared(act.keys, other.keys))) acts.push(act)
  }
  return acts
}

/** Notes what acts were answered with, and their effects. */
const note = ({ result }: Walk, act: Act, { status, body, text }: Outcome, isRaced: boolean) => {
  result.log.push(`${status} ${act.what}${isRaced ? ' (raced)' : ''} ${status === 200 ? (body?.id ?? '') : (text ?? '')}`)
  if (status >= 500 || (!isRaced && status !== act.wanted))
    result.faults.push(`${act.what} is answered ${status} ${text ?? ''}, not ${act.wanted}`)
  if (status !== 200) return
  result.acts++
  act.done?.(body)
}

const doTogether = async (walk: Walk, acts: readonly Act[]) => {
  const { stage, areas } = walk
  const outcomes = await Promise.all(acts.map(({ send }) => send()))
  const raced = racedOn(acts)
  for (const [index, act] of acts.entries())
    note(
      walk,
      act,
      outcomes[index]!,
      act.keys.some((key) => raced.has(key)),
    )
  await stage.world.idle()
  await stage.world.advance(stage.random.of(PAUSES))
  // What federation has done makes work for statuses.
  await stage.world.advance(0)
  const unknown = racedOn(acts.filter((_, index) => outcomes[index]!.status === 200))
  for (const area of areas) await area.learn?.(unknown)
}

/** Where two values differ. */
const difference = (is: unknown, wanted: unknown): string => {
  const [one, other] = [is, wanted].map((value) => (Array.isArray(value) ? value.map((each) => JSON.stringify(each)) : []))
  const without = (some: readonly string[] = [], others: readonly string[] = []) => some.filter((each) => !others.includes(each)).join()
  const [excess, missing] = [without(one, other), without(other, one)]
  return excess || missing ? `has ${excess} in excess and lacks ${missing}` : `is ${JSON.stringify(is)}, not ${JSON.stringify(wanted)}`
}

/** Compares all that a viewer is shown with the facts. */
const compareAs = async ({ areas, result }: Walk, viewer: Viewer) => {
  const compare = (what: string, is: unknown, wanted: unknown) => {
    result.values++
    if (JSON.stringify(is) !== JSON.stringify(wanted)) result.faults.push(`${viewer.username}: ${what} ${difference(is, wanted)}`)
  }
  for (const area of areas) await area.compare({ viewer, compare })
}

/** What anyone is shown that decisions of staff change. */
const shown = async ({ world, accounts }: Stage): Promise<Json> => {
  const query = [...accounts.keys()].map((id) => `id[]=${id}`).join('&')
  const { body } = await world.get(`/api/v1/accounts?${query}`)
  const ofStage = new Set([...accounts.values()].map(({ statusId }) => statusId))
  const listed = (await world.get('/api/v1/timelines/public?limit=40')).body.filter(({ id }: Json) => ofStage.has(id))
  return {
    accounts: body.map(({ id, display_name, limited, suspended, moved, roles, avatar }: Json) => [
      ...[id, display_name, limited, suspended, moved, roles, avatar],
    ]),
    listed: idsOf(listed),
    directory: idsOf((await world.get('/api/v1/directory?limit=80')).body),
    blocks: (await world.get('/api/v1/instance/domain_blocks')).body,
  }
}

/** Takes all back that staff decided about accounts and domains; then all is shown as before. */
const takeBack = async (walk: Walk, before: Json) => {
  const { areas, result, stage } = walk
  for (const area of areas) await doTogether(walk, area.undo?.() ?? [])
  const after = await shown(stage)
  for (const [what, wanted] of Object.entries(before))
    if (JSON.stringify(after[what]) !== JSON.stringify(wanted))
      result.faults.push(`all taken back: ${what} ${difference(after[what], wanted)}`)
}

/** Lines with names in place of ids. */
const naming =
  ({ accounts }: Stage) =>
  (line: string): string =>
    [...accounts.values()].reduce(
      (text, { id, username, statusId }) => text.replaceAll(id, username).replaceAll(statusId, `${username}'s`),
      line,
    )

/** Staff and people do things at random for some rounds; every few rounds all that is shown is compared with the facts. */
export const takeWalk = async (world: World, { seed, rounds, every }: Record<'seed' | 'rounds' | 'every', number>): Promise<Result> => {
  const stage = await open(world, seed)
  const { random, people, staff, owner } = stage
  const areas = await areasOf(stage)
  const makers = areas.flatMap((area) => area.makers.flatMap(([weight, make]) => Array.from({ length: weight }, () => make)))
  const result: Result = { faults: [], acts: 0, values: 0, log: [] }
  const walk: Walk = { stage, areas, draw: () => random.of(makers)(), result }
  const anonymous: Viewer = { id: '', username: 'anonymous', get: (path) => world.get(path) }
  const before = await shown(stage)
  for (let count = 1; count <= rounds && result.faults.length === 0; count++) {
    await doTogether(walk, drawTogether(walk))
    if (count % every === 0) for (const viewer of [anonymous, random.of(people), random.of(staff)]) await compareAs(walk, viewer)
  }
  if (result.faults.length === 0) await takeBack(walk, before)
  if (result.faults.length === 0) for (const viewer of [people[0]!, owner]) await compareAs(walk, viewer)
  const named = naming(stage)
  return { ...result, faults: result.faults.map(named), log: result.log.map(named) }
}
