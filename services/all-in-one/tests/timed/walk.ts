import type { World } from '@rookery/test-world'
import { randomFrom } from '@rookery/test-world/random'
import { Facts, HOUR, MINUTE, type Part } from './facts.ts'
import { announcementsPart, filtersPart, mutesPart } from './passing.ts'
import { Polls, pollsPart } from './polls.ts'
import { schedulesPart } from './schedules.ts'

/** How much time passes after an act. */
const PAUSES = [0, 0, 0, 0, MINUTE, 7 * MINUTE, 61 * MINUTE, 5 * HOUR + 11 * MINUTE, 31 * HOUR]
const WORDS = ['tea', 'cake', 'rain']

/** People do things at random that end or begin with time; every few acts all that is shown is compared with the facts. */
export const takeWalk = async (world: World, { seed, acts, every }: Record<'seed' | 'acts' | 'every', number>) => {
  const people = Object.values(await world.cast('mara', 'joel', 'ines', 'nadia'))
  const facts = new Facts(world, randomFrom(seed), people)
  const writer = await world.person('writer')
  const { id: statusId } = await writer.says(WORDS.join(' '))
  const polls = new Polls(facts)
  const parts: Part[] = [
    pollsPart(facts, polls),
    schedulesPart(facts, polls),
    mutesPart(facts),
    filtersPart(facts, statusId, WORDS),
    announcementsPart(facts),
  ]
  const all = parts.flatMap((part) => part.acts.flatMap(([weight, act]) => Array.from({ length: weight }, () => act)))
  let values = 0
  const compare = (what: string, is: unknown, wanted: unknown) => {
    values++
    const [one, other] = [JSON.stringify(is), JSON.stringify(wanted)]
    if (one !== other) facts.faults.push(`${what} is ${one}, not ${other}`)
  }
  for (let count = 1; count <= acts && facts.faults.length === 0; count++) {
    await facts.random.of(all)()
    const milliseconds = facts.random.of(PAUSES)
    await world.idle()
    if (milliseconds > 0) {
      await world.advance(milliseconds)
      facts.log.push(`${milliseconds / MINUTE} minutes pass`)
      for (const part of parts) await part.passed?.()
    }
    if (count % every === 0) for (const part of parts) await part.compare(compare)
  }
  return { faults: facts.faults, log: facts.log, values }
}
