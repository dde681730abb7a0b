import { SETTING_NAMES } from './setting-names.ts'

/** Prefixes of settings that no other program's variables are known to have. */
const FAMILIES = ['FEDERATION_', 'INSTANCE_', 'MEDIA_', 'REMOTE_MEDIA_', 'RPC_', 'SMTP_', 'STREAM_', 'TRANSLATION_', 'TRENDS_', 'VAPID_']

/** Variables that Kubernetes and Docker set for services: MEDIA_SERVICE_HOST, MEDIA_PORT=tcp://…, MEDIA_PORT_80_TCP_ADDR. */
const isOfServices = (name: string, value: string): boolean =>
  /_SERVICE_(HOST|PORT)(_|$)/.test(name) ||
  /_PORT_\d+_(TCP|UDP|SCTP)/.test(name) ||
  (name.endsWith('_PORT') && /^(tcp|udp|sctp):/.test(value))

/** Shorter names are too similar to each other to be compared. */
const MIN_LENGTH = 6
/** Names of at least this length may differ in two letters. */
const LONG = 16

/** The edit distance of two names (insertions, deletions, substitutions, swaps of neighbours), up to `max` + 1. */
const distance = (one: string, other: string, max: number): number => {
  if (Math.abs(one.length - other.length) > max) return max + 1
  let [before, last]: [number[], number[]] = [[], Array.from({ length: other.length + 1 }, (_, index) => index)]
  for (let row = 1; row <= one.length; row++) {
    const next = [row]
    for (let column = 1; column <= other.length; column++) {
      const cost = one[row - 1] === other[column - 1] ? 0 : 1
      const isSwapped = row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      const swapped = isSwapped ? before[column - 2]! + 1 : Number.POSITIVE_INFINITY
      next.push(Math.min(next[column - 1]! + 1, last[column]! + 1, last[column - 1]! + cost, swapped))
    }
    ;[before, last] = [last, next]
  }
  return last.at(-1)!
}

/** The setting with the most similar name, if any is similar. */
const likeliest = (name: string, known: readonly string[]): string | undefined => {
  const max = name.length < MIN_LENGTH ? 0 : name.length < LONG ? 1 : 2
  const near = known.map((each) => ({ each, far: distance(name, each, max) })).filter(({ far }) => far <= max)
  return near.sort((one, other) => one.far - other.far)[0]?.each
}

/**
 * A sentence for each environment variable that is no setting but was probably meant as one: similar to a name, or with one of our
 * prefixes. Variables of other programs, and those that describe services, are ignored; values are never included.
 */
export const unknownSettings = (environment: Record<string, string | undefined>, known: readonly string[] = SETTING_NAMES): string[] => {
  const names = new Set(known)
  return Object.entries(environment).flatMap(([name, value]) => {
    const upper = name.toUpperCase()
    if (!value || names.has(name) || isOfServices(name, value)) return []
    const meant = likeliest(upper, known)
    if (meant) return [`${name} is no setting: is ${meant} meant?`]
    return FAMILIES.some((family) => name.startsWith(family)) ? [`${name} is no setting: docs/configuration.md has all.`] : []
  })
}
