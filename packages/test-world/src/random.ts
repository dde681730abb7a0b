/** Pseudorandom numbers from a seed (mulberry32). */
export const randomFrom = (seed: number) => {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    chance: (share: number) => next() < share,
    of: <Thing>(things: readonly Thing[]): Thing => things[Math.floor(next() * things.length)]!,
  }
}
export type Random = ReturnType<typeof randomFrom>
