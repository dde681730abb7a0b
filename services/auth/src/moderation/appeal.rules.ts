import type { ActName } from './act.rules.ts'

/** The period for appeals, in milliseconds (as in Mastodon). */
const OPEN_MILLISECONDS = 20 * 86_400_000

/** The maximum length of an appeal, in characters. */
export const MAX_APPEAL = 2000

/** The reverse of each act that has one. */
export const REVERSALS: Readonly<Partial<Record<string, ActName>>> = {
  sensitive: 'unsensitive',
  disable: 'enable',
  silence: 'unsilence',
  suspend: 'unsuspend',
}

/** The properties of an act that decide whether it may be appealed. */
type Appealable = { createdAt: Date; isTakenBack: boolean; appeal: object | undefined }

/** The end of the period for appeals. */
export const appealableUntil = ({ createdAt }: { createdAt: Date }): Date => new Date(createdAt.getTime() + OPEN_MILLISECONDS)

/** Whether an act may still be appealed: once, while it is in force, and within twenty days. */
export const isOpenToAppeal = (act: Appealable, now: number): boolean =>
  !act.appeal && !act.isTakenBack && now < appealableUntil(act).getTime()

/** The fault of an appeal's text, if any. */
export const faultOfAppeal = (text: string): 'ERR_BLANK' | 'ERR_TOO_LONG' | undefined => {
  if (text === '') return 'ERR_BLANK'
  return [...text].length > MAX_APPEAL ? 'ERR_TOO_LONG' : undefined
}
