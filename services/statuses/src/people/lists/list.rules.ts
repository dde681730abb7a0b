import { LIMITS } from '@rookery/contracts/limits'
import { Failure, invalid } from '@rookery/failures'
import type { RepliesPolicy } from '../../database/tables/list.ts'

const POLICIES: readonly string[] = ['followed', 'list', 'none'] satisfies RepliesPolicy[]

const isPolicy = (text: string): text is RepliesPolicy => POLICIES.includes(text)

/** The trimmed title of a list. @throws Failure invalid if it is empty or too long (beyond-the-spec 1.2) */
export const titleOf = (typed: string): string => {
  const title = typed.trim()
  if (title === '') throw invalid("Title can't be blank")
  const maximum = LIMITS.lists.titleLength
  if ([...title].length > maximum) throw invalid(`Title is too long (maximum is ${maximum} characters)`)
  return title
}

/** The replies policy of a list; by default replies to members (spec, Lists). @throws Failure invalid with the unknown value (spec, Errors 2) */
export const repliesPolicyOf = (typed: string): RepliesPolicy => {
  const policy = typed || 'list'
  if (!isPolicy(policy)) throw new Failure('invalid', `'${typed}' is not a valid replies_policy`)
  return policy
}

/** @throws Failure invalid if an account has the maximum number of lists (beyond-the-spec 1.2) */
export const refuseFurtherLists = (count: number): void => {
  if (count >= LIMITS.lists.maxLists) throw invalid('You have reached the maximum number of lists')
}
