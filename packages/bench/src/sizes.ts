/** The size of a measured server. */
export type Sizes = {
  people: number
  /** Per person. */
  follows: number
  statuses: number
  tagged: number
  /** People with a stored home. */
  homes: number
  /** People who only follow one person, and how many of them have an open stream. */
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
/** Stored entries per home. */
export const HOME_LENGTH = 800
/** Followers of one person, if requested. */
export const CROWD = 1_000_000
