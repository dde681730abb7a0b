/** How large a server is that is measured. */
export type Sizes = {
  people: number
  /** Of each person. */
  follows: number
  statuses: number
  tagged: number
  /** People whose homes are stored. */
  homes: number
  /** Who follow one person and do nothing else, and how many of them have streams open. */
  fans: number
  readers: number
}

const SMALL: Sizes = { people: 1000, follows: 30, statuses: 20_000, tagged: 4000, homes: 1000, fans: 10_000, readers: 1000 }

/** The sizes by name. */
export const SIZES = {
  '20k': SMALL,
  '1m': { ...SMALL, people: 5000, statuses: 1_000_000, tagged: 200_000 },
  '10m': { ...SMALL, people: 20_000, statuses: 10_000_000, tagged: 2_000_000 },
} as const satisfies Record<string, Sizes>

export type SizeName = keyof typeof SIZES

/** People who read and post in turn. */
export const VIEWERS = 200
/** Entries of a home that are stored. */
export const HOME_LENGTH = 800
/** People who follow one person, where that is asked for. */
export const CROWD = 1_000_000
