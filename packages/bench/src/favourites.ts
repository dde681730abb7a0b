import type { Harness } from './harness.ts'
import { post } from './post.ts'
import { STAR, tokenOf } from './seed.ts'
import type { Line } from './table.ts'

const ROUNDS = 10
const PEOPLE = 100

/** Measures how long a favourite takes when many people favourite the same status at once. */
export const measureFavourites = async ({ origin, client }: Harness): Promise<Line> => {
  const waits: number[] = []
  let lost = 0
  for (let round = 0; round < ROUNDS; round++) {
    const id = await post(origin, tokenOf(STAR), `a good thought ${round}`)
    const favourite = async (number: number) => {
      const startedAt = performance.now()
      const headers = { Authorization: `Bearer ${tokenOf(number)}` }
      await (await fetch(`${origin}/api/v1/statuses/${id}/favourite`, { method: 'POST', headers })).arrayBuffer()
      waits.push(performance.now() - startedAt)
    }
    await Promise.all(Array.from({ length: PEOPLE }, (_, index) => favourite(index + 3)))
    const counted = await client.query('select favourites from statuses.status_head where id = $1', [id])
    lost += PEOPLE - counted.rows[0].favourites
  }
  waits.sort((a, b) => a - b)
  const at = (share: number) => waits[Math.floor(waits.length * share)]!
  return {
    what: `${PEOPLE} people favourite one status at once`,
    p50: at(0.5),
    p99: at(0.99),
    ...(lost ? { remark: `${lost} not counted` } : {}),
  }
}
