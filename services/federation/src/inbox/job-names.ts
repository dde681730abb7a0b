/** The job that compares the local followers of a remote account with those that its server lists. */
export const SYNCHRONISE_FOLLOWERS = 'synchronise-followers'
/** The job that processes the activities of an actor. */
export const WORK_ACTIVITIES = 'work-activities'

const WORK = 'work:'
/** The job key of an actor: at most one job waits for each. */
export const keyOfActor = (uri: string): string => `${WORK}${uri}`
/** Prefixes of the keys of these jobs, before the uri of the actor. */
export const KEYS = { work: WORK, synchronise: `${SYNCHRONISE_FOLLOWERS}:` } as const
