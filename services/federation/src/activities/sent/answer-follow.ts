import { createHash } from 'node:crypto'
import { type Payload, payloadOf, renderAct } from '../../vocabulary/index.ts'

/** A follow of a local account, as received. */
type AnsweredFollow = { readonly uri: string; readonly actor: string; readonly target: string }

const answer =
  (type: 'Accept' | 'Reject') =>
  ({ uri, actor, target }: AnsweredFollow): Payload => {
    const digest = createHash('sha256').update(uri).digest('hex').slice(0, 32)
    const follow = { id: uri, type: 'Follow', actor, object: target }
    return payloadOf(renderAct(type, { id: `${target}#${type.toLowerCase()}s/${digest}`, actor: target, to: [actor], object: follow }))
  }

/** Accepts a follow. The activity id depends only on the follow, so repeated answers are the same. */
export const acceptOf = answer('Accept')

/** Rejects or ends a follow. */
export const rejectOf = answer('Reject')
