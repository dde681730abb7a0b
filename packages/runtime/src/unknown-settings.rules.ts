import { SETTING_NAMES } from './setting-names.ts'

/** Beginnings that no other program's variables are known to have. */
const FAMILIES = ['FEDERATION_', 'INSTANCE_', 'MEDIA_', 'REMOTE_MEDIA_', 'RPC_', 'SMTP_', 'STREAM_', 'TRANSLATION_', 'TRENDS_', 'VAPID_']

/** What Kubernetes and Docker tell every process of the services beside it: MEDIA_SERVICE_HOST, MEDIA_PORT=tcp://…, MEDIA_PORT_80_TCP_ADDR. */
const isOfServices = (name: string, value: string): boolean =>
  /_SERVICE_(HOST|PORT)(_|$)/.test(name) ||
  /_PORT_\d+_(TCP|UDP|SCTP)/.test(name) ||
  (name.endsWith('_PORT') && /^(tcp|udp|sctp):/.test(value))

/** Names of so many letters are too short to be taken for one another. */
const MIN_LENGTH = 6
/** From that length on two letters may be wrong. */
const LONG = 16

/** How many letters must be put in, left out, changed or swapped with the next, at most `max` + 1. */
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

/** The setting that a name is most like, if it is like any. */
const likeliest = (name: string, known: readonly string[]): string | undefined => {
  const max = name.length < MIN_LENGTH ? 0 : name.length < LONG ? 1 : 2
  const near = known.map((each) => ({ each, far: distance(name, each, max) })).filter(({ far }) => far <= max)
  return near.sort((one, other) => one.far - other.far)[0]?.each
}

/**
 * A sentence for each variable of an environment that is no setting and was most likely meant as one: a letter or two from a name, or with the
 * beginning of ours. Other programs' variables, and those that tell of services, are left alone; values are never named.
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
