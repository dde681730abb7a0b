import type { RemotePoll } from '@rookery/contracts/statuses'
import { countOf, type JsonObject, mappedText, objectsOf, timeOf, totalOf } from './json.ts'

const MAX_OPTIONS = 32
const MAX_TITLE = 500
const MAX_VOTES = 1_000_000_000

/** What a Question asks: one of, or any of. Undefined where it offers fewer than two answers. */
export const pollOf = (object: JsonObject): RemotePoll | undefined => {
  const isMultiple = object['oneOf'] === undefined
  const titles = new Set<string>()
  const options = objectsOf(isMultiple ? object['anyOf'] : object['oneOf'])
    .map((option) => ({ title: mappedText(option, 'name', MAX_TITLE), votesCount: Math.min(totalOf(option['replies']) ?? 0, MAX_VOTES) }))
    .filter(({ title }) => title !== '' && !titles.has(title) && titles.add(title))
    .slice(0, MAX_OPTIONS)
  if (options.length < 2) return undefined
  const closed = timeOf(object['closed'])
  return {
    options,
    isMultiple,
    expiresAtMilliseconds: closed ?? timeOf(object['endTime']),
    votersCount: countOf(object['votersCount'], MAX_VOTES),
  }
}
