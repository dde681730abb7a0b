import type { RemotePoll } from '@rookery/contracts/statuses'
import { countOf, type JsonObject, mappedText, objectsOf, timeOf, totalOf } from './json.ts'

const MAX_OPTIONS = 32
const MAX_TITLE = 500
const MAX_VOTES = 1_000_000_000

/** The end of a poll. `closed` is a time, or true: then the poll ended no later than the object was last updated. */
const endOf = (object: JsonObject): number | undefined => {
  const end = timeOf(object['closed']) ?? timeOf(object['endTime'])
  if (object['closed'] !== true) return end
  const known = timeOf(object['updated']) ?? timeOf(object['published'])
  return Math.min(end ?? Number.POSITIVE_INFINITY, known ?? 0)
}

/** Parses the poll of a Question, with single or multiple choice. Undefined with fewer than two options. */
export const pollOf = (object: JsonObject): RemotePoll | undefined => {
  const single = objectsOf(object['oneOf'])
  const isMultiple = single.length === 0
  const titles = new Set<string>()
  const options = (isMultiple ? objectsOf(object['anyOf']) : single)
    .map((option) => ({ title: mappedText(option, 'name', MAX_TITLE), votesCount: Math.min(totalOf(option['replies']) ?? 0, MAX_VOTES) }))
    .filter(({ title }) => title !== '' && !titles.has(title) && titles.add(title))
    .slice(0, MAX_OPTIONS)
  if (options.length < 2) return undefined
  return {
    options,
    isMultiple,
    expiresAtMilliseconds: endOf(object),
    votersCount: countOf(object['votersCount'], MAX_VOTES),
  }
}
