import { type Who, watch } from '../cast.ts'
import { took, type Walk } from '../walk.ts'
import type { Act } from './posts.ts'

const PATH = '/api/v1/admin/domain_blocks'
/** Work that another job holds is put off for less than that, in milliseconds. */
const MINUTE = 60_000

const blocks = async ({ cast }: Walk, side: number, body: object) => {
  const [domain] = cast.sides[1 - side]!.host.split(':')
  return cast.sides[side]!.owner.post(PATH, { domain, ...body })
}

const unblocks = ({ cast }: Walk, side: number, id: string) => cast.sides[side]!.owner.asks('DELETE', `${PATH}/${id}`)

/** Staff limit the other server, or reject its files, or end that. */
export const limitsServer: Act = async (walk, { side }) => {
  const block = walk.blocks.get(side)
  if (block) {
    took(walk, `staff ${side} end their block`, await unblocks(walk, side, block.id))
    walk.blocks.delete(side)
    return
  }
  const body = { severity: walk.random.of(['silence', 'noop']), reject_media: walk.random.chance(0.5) }
  const answer = await blocks(walk, side, body)
  if (took(walk, `staff ${side} block ${JSON.stringify(body)}`, answer)) {
    walk.blocks.set(side, { id: answer.body.id, rejectsMedia: body.reject_media })
  }
}

const follows = async ({ cast }: Walk, { side, person }: Who) => {
  const query = cast.people.filter((one) => one.side !== side).map((one) => `id[]=${one.ids[side]}`)
  const { body } = await person.get(`/api/v1/accounts/relationships?with_suspended=true&${query.join('&')}`)
  return body.filter((one: { following: boolean; requested: boolean }) => one.following || one.requested).map(({ id }: Who['person']) => id)
}

/**
 * Staff suspend the other server and end that at once: follows between the two have ended, and watchers follow again. Not where deliveries are late:
 * the end of a follow that arrives after the next one ends that.
 */
export const suspendsServer: Act = async (walk, { side }) => {
  const { cast, log } = walk
  if (walk.hasFaults || walk.blocks.has(side) || cast.actors.some(({ isSuspended, isBarred }) => isSuspended || isBarred)) return
  await cast.advance(MINUTE)
  const answer = await blocks(walk, side, { severity: 'suspend' })
  if (!took(walk, `staff ${side} suspend the other server`, answer)) return
  await cast.advance(MINUTE)
  const people = cast.people.filter(({ isGone }) => !isGone)
  for (const one of people) {
    const left = await follows(walk, one)
    if (left.length > 0) throw new Error([...log, `${one.name} still follows ${left}`].join('\n'))
  }
  took(walk, `staff ${side} suspend it no longer`, await unblocks(walk, side, answer.body.id))
  await cast.advance(MINUTE)
  for (const one of cast.actors.filter(({ isWatched, isGone }) => isWatched && !isGone)) await watch(cast.sides, one)
  await cast.advance(MINUTE)
}
