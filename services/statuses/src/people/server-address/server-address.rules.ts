import { isLoopback } from '@rookery/runtime'

type Start = {
  /** The base URL at this start. */
  baseUrl: string
  /** The recorded base URL; undefined before the first start. */
  recorded: string | undefined
  /** The former base URL, if the operator changes it on purpose. */
  previous: string | undefined
  /** The number of local accounts. */
  people: number
}

/**
 * The message that refuses to start with another base URL than that in local handles and uris; undefined if it is the same, changed on purpose, or a
 * loopback address that other servers cannot know.
 */
export const addressRefusal = ({ baseUrl, recorded, previous, people }: Start): string | undefined => {
  if (recorded === undefined || recorded === baseUrl || recorded === previous) return undefined
  if (people === 0 || isLoopback(recorded)) return undefined
  const whose = people === 1 ? 'one person has' : `${people} people have`
  return (
    `BASE_URL is ${baseUrl}, but these data belong to ${recorded}: ${whose} handles and ids there, and other servers would take them for ` +
    `strangers. Set BASE_URL=${recorded}; or, where the address changes on purpose, set PREVIOUS_BASE_URL=${recorded} as well`
  )
}
