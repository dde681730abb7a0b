import { isDeepStrictEqual } from 'node:util'
import type { Walk } from '../walk.ts'
import type { Compare } from './differences.ts'
import { compareNotifications } from './notifications.ts'
import { compareProfiles } from './profiles.ts'
import { compareRelations } from './relations.ts'
import { compareStatuses } from './statuses.ts'
import { compareThreads } from './threads.ts'

/** The properties in which two values differ, or the values if they are none with properties. */
const parts = (one: unknown, other: unknown): [unknown, unknown] => {
  const isRecord = (value: unknown): value is Record<string, unknown> =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
  if (!isRecord(one) || !isRecord(other)) return [one, other]
  const differing = Object.keys(one).filter((name) => !isDeepStrictEqual(one[name], other[name]))
  const pick = (from: Record<string, unknown>) => Object.fromEntries(differing.map((name) => [name, from[name]]))
  return [pick(one), pick(other)]
}

/** Compares what two servers say once nothing is under way. */
export const compareServers = async (walk: Walk) => {
  const differences: { about: string; home: unknown; other: unknown }[] = []
  let compared = 0
  const compare: Compare = (about, home, other) => {
    compared++
    if (isDeepStrictEqual(home, other)) return
    const [atHome, elsewhere] = parts(home, other)
    differences.push({ about, home: atHome, other: elsewhere })
  }
  const relations = await compareRelations(walk, compare)
  await compareProfiles(walk, compare)
  await compareNotifications(walk, compare)
  for (const side of [0, 1]) {
    await compareStatuses(walk, side, { relations, compare })
    await compareThreads(walk, side, compare)
  }
  return { differences, compared }
}
