import { type MailChoices, type MailedType, mailedTypeOf } from './mail-kinds.ts'

/** The hourly limit of mails about single notifications to an account; others are only in the app. */
export const MAX_MAILS_AN_HOUR = 10

const HOUR = 3600 * 1000
/** Older notifications, e.g. after an outage of the consumer, are not mailed, in milliseconds. */
const MAX_AGE = 24 * HOUR

/** A stored notification, from its event. */
export type Stored = {
  readonly accountId: string
  readonly id: string
  readonly type: string
  readonly actorId: string
  readonly statusId: string
  /** Milliseconds since 1970. */
  readonly storedAt: number
}

/** The mail preferences of an account, and the number of mails in the hour `hour` since 1970. */
export type Wish = MailChoices & { readonly accountId: string; readonly hour: number; readonly sentInHour: number }

/** A mail to send. */
export type DueMail = {
  readonly accountId: string
  readonly notificationId: string
  readonly kind: MailedType
  readonly actorId: string
  readonly statusId: string
}

/**
 * Selects the notifications to mail: of types that their recipient wants, not too old, and within the hourly limit. `counted` has the new
 * counts.
 */
export const dueMails = (stored: readonly Stored[], wishes: readonly Wish[], now: number): { mails: DueMail[]; counted: Wish[] } => {
  const hour = Math.floor(now / HOUR)
  const counted = new Map<string, Wish>()
  const known = new Map(wishes.map((wish) => [wish.accountId, wish]))
  const mails = stored.flatMap(({ id: notificationId, type, storedAt, ...about }): DueMail[] => {
    const kind = mailedTypeOf(type)
    const wish = counted.get(about.accountId) ?? known.get(about.accountId)
    if (!kind || !wish?.[kind] || now - storedAt > MAX_AGE) return []
    const sentInHour = wish.hour === hour ? wish.sentInHour : 0
    if (sentInHour >= MAX_MAILS_AN_HOUR) return []
    counted.set(about.accountId, { ...wish, hour, sentInHour: sentInHour + 1 })
    return [{ ...about, notificationId, kind }]
  })
  return { mails, counted: [...counted.values()] }
}
