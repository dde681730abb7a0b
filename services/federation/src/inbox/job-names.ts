/** The job that compares the followers that someone elsewhere has here with what their server says. */
export const SYNCHRONISE_FOLLOWERS = 'synchronise-followers'
/** The job that works what an actor sent. */
export const WORK_ACTIVITIES = 'work-activities'

const WORK = 'work:'
/** At most one job waits for an actor. */
export const keyOfActor = (uri: string): string => `${WORK}${uri}`
/** What the keys of these jobs begin with, before the uri of the actor. */
export const KEYS = { work: WORK, synchronise: `${SYNCHRONISE_FOLLOWERS}:` } as const
