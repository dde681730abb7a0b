import type { Walk } from '../walk.ts'
import type { Compare } from './differences.ts'

/** Each mention notifies once, however often its delivery arrived. */
export const compareNotifications = async ({ cast }: Walk, compare: Compare): Promise<void> => {
  for (const { person, name } of cast.people.filter(({ isGone, isSuspended }) => !isGone && !isSuspended)) {
    const uris = (await person.notifications('?types[]=mention&limit=80')).map(({ status }) => status.uri)
    compare(`mentions that ${name} is notified of`, [...new Set(uris)], uris)
  }
}
