/** How often an invitation may be used, where that has a limit (as upstream has it). */
export const MAX_USES: readonly number[] = [1, 5, 10, 25, 50, 100]

/** For how long an invitation may be good, in seconds, where that has an end (as upstream has it). */
export const LIFETIMES = [1800, 3600, 21_600, 43_200, 86_400, 604_800] as const

/** For how long an invitation is good unless someone chooses otherwise, in seconds. */
export const USUAL_LIFETIME: (typeof LIFETIMES)[number] = 86_400

/** Good invitations that one person has at once, at most. */
export const MAX_GOOD_INVITES = 100

/** What someone wants of a new invitation; null stands for no limit, and for no end. */
export type WantedInvite = { maxUses: number | null; lifetimeSeconds: number | null; autofollow: boolean }

/** The number that a text chooses; null where the text is empty, undefined for one that is not offered. */
const chosenOf = (text: string, offered: readonly number[]): number | null | undefined =>
  text === '' ? null : offered.find((choice) => String(choice) === text)

/** What a form says of a new invitation; undefined where it says what is not offered. */
export const wantedInvite = (form: { maxUses: string; expiresIn: string; autofollow: boolean }): WantedInvite | undefined => {
  const maxUses = chosenOf(form.maxUses, MAX_USES)
  const lifetimeSeconds = chosenOf(form.expiresIn, LIFETIMES)
  if (maxUses === undefined || lifetimeSeconds === undefined) return undefined
  return { maxUses, lifetimeSeconds, autofollow: form.autofollow }
}

/** Until when a new invitation is good; null without an end. */
export const goodUntil = ({ lifetimeSeconds }: WantedInvite, now: number): Date | null =>
  lifetimeSeconds === null ? null : new Date(now + lifetimeSeconds * 1000)
