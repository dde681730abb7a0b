/**
 * The seeds of the walks of a test: `usual`, or with `WALK_SEED=7` the seed 7, and with `WALK_SEED=7,3` the seeds 7, 8 and 9. How far they go, in acts or
 * rounds, is `usualRounds`, or `WALK_ROUNDS`.
 */
export const walksOf = (usual: readonly number[], usualRounds: number): { seeds: readonly number[]; rounds: number } => {
  const { WALK_SEED, WALK_ROUNDS } = process.env
  const [first, count = 1] = (WALK_SEED ?? '').split(',').filter(Boolean).map(Number)
  const seeds = first === undefined ? usual : Array.from({ length: count }, (_, index) => first + index)
  return { seeds, rounds: Number(WALK_ROUNDS ?? usualRounds) }
}
