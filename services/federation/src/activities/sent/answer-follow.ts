import { createHash } from 'node:crypto'
import { type Places, renderAct, withContext } from '../../vocabulary/index.ts'

/** A follow of someone here, as it came. */
type AnsweredFollow = { readonly uri: string; readonly actor: string; readonly target: string }

/** What is delivered: the id of an activity and the activity. */
export type Payload = { readonly activityId: string; readonly payload: Buffer }

export const payloadOf = (activity: { readonly [name: string]: unknown }): Payload => ({
  activityId: String(activity['id']),
  payload: Buffer.from(JSON.stringify(withContext(activity))),
})

const answer =
  (type: 'Accept' | 'Reject') =>
  ({ uri, actor, target }: AnsweredFollow, _at: Places): Payload => {
    const digest = createHash('sha256').update(uri).digest('hex').slice(0, 32)
    const follow = { id: uri, type: 'Follow', actor, object: target }
    return payloadOf(renderAct(type, { id: `${target}#${type.toLowerCase()}s/${digest}`, actor: target, to: [actor], object: follow }))
  }

/** The follow may begin. One follow has one answer of a kind, however often it is sent. */
export const acceptOf = answer('Accept')

/** The follow may not begin, or ends. */
export const rejectOf = answer('Reject')
