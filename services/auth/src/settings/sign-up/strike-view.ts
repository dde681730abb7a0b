import { appealableUntil, MAX_APPEAL, type Strike, strikePath, warningOf } from '../../moderation/index.ts'
import type { AppealableView, AppealForm, StrikeView } from '../../web/html/index.ts'

/** A strike, for a list. */
export const viewOf = ({ id, action, createdAt, isTakenBack, appeal }: Strike): StrikeView => ({
  path: strikePath(id),
  kind: warningOf(action) ?? 'warned',
  createdAt,
  isTakenBack,
  state: appeal?.state,
})

/** A strike with its appeal, and with a form if it is open to appeal. */
export const appealableOf = (strike: Strike, form: Omit<AppealForm, 'until' | 'maxLength'> | undefined): AppealableView => ({
  ...viewOf(strike),
  text: strike.text,
  appealText: strike.appeal?.text,
  form: form && { ...form, until: appealableUntil(strike), maxLength: MAX_APPEAL },
})
