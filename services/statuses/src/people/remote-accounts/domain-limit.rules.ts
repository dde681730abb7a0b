import { decisionFor } from '@rookery/domain-names'

/** The staff's limits on a domain. */
export type DomainLimit = { isSilenced: boolean; isSuspended: boolean; rejectsMedia: boolean }

/** The columns of an account that limits of its domain change, with flags for changes caused by the domain. */
export type LimitedState = {
  isSilenced: boolean
  silencedByDomain: boolean
  isSuspended: boolean
  suspendedByDomain: boolean
  rejectsMedia: boolean
}

const NO_LIMIT: DomainLimit = { isSilenced: false, isSuspended: false, rejectsMedia: false }

/** Whether staff decided about a domain itself; requests from before `isDecided` say it by a limit. */
export const isDecision = ({ isDecided, isSilenced, isSuspended, rejectsMedia }: DomainLimit & { isDecided: boolean }): boolean =>
  isDecided || isSilenced || isSuspended || rejectsMedia

/** The limit that applies to a domain: the most specific one. */
export const limitFor = (domain: string, limits: ReadonlyMap<string, DomainLimit>): DomainLimit => decisionFor(domain, limits) ?? NO_LIMIT

/** The state after a change of the domain's limit, and whether the domain caused it: decisions about the account itself stay. */
const limited = (stands: boolean, byDomain: boolean, wanted: boolean): [stands: boolean, byDomain: boolean] => {
  if (wanted) return stands ? [true, byDomain] : [true, true]
  return byDomain ? [false, false] : [stands, false]
}

/** An account's state under a limit of its domain. */
export const limitedState = (before: LimitedState, limit: DomainLimit): LimitedState => {
  const [isSilenced, silencedByDomain] = limited(before.isSilenced, before.silencedByDomain, limit.isSilenced)
  const [isSuspended, suspendedByDomain] = limited(before.isSuspended, before.suspendedByDomain, limit.isSuspended)
  return { isSilenced, silencedByDomain, isSuspended, suspendedByDomain, rejectsMedia: limit.rejectsMedia }
}

/** Whether two states differ. */
export const differs = (one: LimitedState, other: LimitedState): boolean =>
  (Object.keys(one) as (keyof LimitedState)[]).some((key) => one[key] !== other[key])
