import { type Overlay, QuoteApproval, QuotePolicy, QuoteState } from '@rookery/contracts/statuses'

/** The API's word for each state of a quote (beyond-the-spec 1.1, Quote). */
export const QUOTE_STATE_NAMES = {
  [QuoteState.UNSPECIFIED]: 'unauthorized',
  [QuoteState.PENDING]: 'pending',
  [QuoteState.ACCEPTED]: 'accepted',
  [QuoteState.REJECTED]: 'rejected',
  [QuoteState.REVOKED]: 'revoked',
  [QuoteState.DELETED]: 'deleted',
  [QuoteState.UNAUTHORIZED]: 'unauthorized',
  [QuoteState.BLOCKED_ACCOUNT]: 'blocked_account',
  [QuoteState.BLOCKED_DOMAIN]: 'blocked_domain',
  [QuoteState.MUTED_ACCOUNT]: 'muted_account',
} as const

/** The API's word for each policy. */
export const QUOTE_POLICY_NAMES = {
  [QuotePolicy.UNSPECIFIED]: 'nobody',
  [QuotePolicy.NOBODY]: 'nobody',
  [QuotePolicy.FOLLOWERS]: 'followers',
  [QuotePolicy.PUBLIC]: 'public',
} as const

/** Policies that let others quote. */
const AUTOMATIC: ReadonlySet<QuotePolicy> = new Set([QuotePolicy.FOLLOWERS, QuotePolicy.PUBLIC])

/** QuoteApproval as JSON (beyond-the-spec 1.1, Status): quotes are accepted at once or not at all. */
export const quoteApprovalJson = ({ quotePolicy, quoteApproval }: Pick<Overlay, 'quotePolicy' | 'quoteApproval'>): string =>
  `{"automatic":[${AUTOMATIC.has(quotePolicy) ? `"${QUOTE_POLICY_NAMES[quotePolicy]}"` : ''}],"manual":[],"current_user":"${quoteApproval === QuoteApproval.AUTOMATIC ? 'automatic' : 'denied'}"}`
