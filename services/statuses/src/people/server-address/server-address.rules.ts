import { isLoopback } from '@rookery/runtime'

type Start = {
  /** The address that the server starts with. */
  baseUrl: string
  /** The address that is recorded; undefined before the first start. */
  recorded: string | undefined
  /** The address that the operator says is given up. */
  previous: string | undefined
  /** People of this server. */
  people: number
}

/**
 * The sentence that refuses to start at another address than the one in people's handles and ids; undefined where it is the same, is
 * changed on purpose, or is still unknown to others because it is that of one machine only.
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
