import type { ActName } from './act.rules.ts'

/** How long people may appeal an act (as upstream has it). */
const OPEN_MILLISECONDS = 20 * 86_400_000

/** Characters of an appeal at most. */
export const MAX_APPEAL = 2000

/** The act that ends an act, where there is one. */
export const REVERSALS: Readonly<Partial<Record<string, ActName>>> = {
  sensitive: 'unsensitive',
  disable: 'enable',
  silence: 'unsilence',
  suspend: 'unsuspend',
}

/** What of an act decides whether it may be appealed. */
type Appealable = { createdAt: Date; isTakenBack: boolean; appeal: object | undefined }

/** Until when an act may be appealed. */
export const appealableUntil = ({ createdAt }: { createdAt: Date }): Date => new Date(createdAt.getTime() + OPEN_MILLISECONDS)

/** Whether someone may still appeal an act: once, while it is in force, and for twenty days. */
export const isOpenToAppeal = (act: Appealable, now: number): boolean =>
  !act.appeal && !act.isTakenBack && now < appealableUntil(act).getTime()

/** The fault of an appeal's text, if there is one. */
export const faultOfAppeal = (text: string): 'ERR_BLANK' | 'ERR_TOO_LONG' | undefined => {
  if (text === '') return 'ERR_BLANK'
  return [...text].length > MAX_APPEAL ? 'ERR_TOO_LONG' : undefined
}
