import { LIMITS } from '@rookery/contracts/limits'
import { Failure, invalid } from '@rookery/failures'
import type { RepliesPolicy } from '../../database/tables/list.ts'

const POLICIES: readonly string[] = ['followed', 'list', 'none'] satisfies RepliesPolicy[]

const isPolicy = (text: string): text is RepliesPolicy => POLICIES.includes(text)

/** A list's title without space around it. @throws Failure invalid when nothing is left, or too much (beyond-the-spec 1.2) */
export const titleOf = (typed: string): string => {
  const title = typed.trim()
  if (title === '') throw invalid("Title can't be blank")
  const most = LIMITS.lists.titleLength
  if ([...title].length > most) throw invalid(`Title is too long (maximum is ${most} characters)`)
  return title
}

/** Which replies a list shows; unless said, those to members (spec, Lists). @throws Failure invalid naming what is no policy (spec, Errors 2) */
export const repliesPolicyOf = (typed: string): RepliesPolicy => {
  const policy = typed || 'list'
  if (!isPolicy(policy)) throw new Failure('invalid', `'${typed}' is not a valid replies_policy`)
  return policy
}

/** @throws Failure invalid for somebody who has as many lists as one may keep (beyond-the-spec 1.2) */
export const refuseFurtherLists = (kept: number): void => {
  if (kept >= LIMITS.lists.maxLists) throw invalid('You have reached the maximum number of lists')
}
