/** The offered limits of uses (as in Mastodon). */
export const MAX_USES: readonly number[] = [1, 5, 10, 25, 50, 100]

/** The offered lifetimes, in seconds (as in Mastodon). */
export const LIFETIMES = [1800, 3600, 21_600, 43_200, 86_400, 604_800] as const

/** The default lifetime, in seconds. */
export const USUAL_LIFETIME: (typeof LIFETIMES)[number] = 86_400

/** The maximum number of open invitations of an account. */
export const MAX_GOOD_INVITES = 100

/** The options of a new invitation; null is no limit of uses, or no end. */
export type WantedInvite = { maxUses: number | null; lifetimeSeconds: number | null; autofollow: boolean }

/** Parses a choice: null for an empty text, undefined for a number that is not offered. */
const chosenOf = (text: string, offered: readonly number[]): number | null | undefined =>
  text === '' ? null : offered.find((choice) => String(choice) === text)

/** Parses the form of a new invitation; undefined if a choice is not offered. */
export const wantedInvite = (form: { maxUses: string; expiresIn: string; autofollow: boolean }): WantedInvite | undefined => {
  const maxUses = chosenOf(form.maxUses, MAX_USES)
  const lifetimeSeconds = chosenOf(form.expiresIn, LIFETIMES)
  if (maxUses === undefined || lifetimeSeconds === undefined) return undefined
  return { maxUses, lifetimeSeconds, autofollow: form.autofollow }
}

/** The end of a new invitation; null for none. */
export const goodUntil = ({ lifetimeSeconds }: WantedInvite, now: number): Date | null =>
  lifetimeSeconds === null ? null : new Date(now + lifetimeSeconds * 1000)
