import type { OnActivity, RemoteActor } from '../../contract.ts'
import { isSameHost } from '../../host.rules.ts'
import { type Activity, type ActivityType, readActivity } from '../../vocabulary/index.ts'
import { receiveAnnounce } from './announce.ts'
import { receiveAccept, receiveReject } from './answers.ts'
import { receiveBlock } from './block.ts'
import { receiveStatus } from './create.ts'
import { receiveDelete } from './delete.ts'
import { newBudget, type Receive, type ReceivedDeps } from './deps.ts'
import { receiveFlag } from './flag.ts'
import { receiveFollow } from './follow.ts'
import { receiveForwarded } from './forwarded.ts'
import { receiveLike } from './like.ts'
import { receiveMove } from './move.ts'
import { receivePassedOnFavourite } from './passed-on-favourite.ts'
import { receivePins } from './pins.ts'
import { receiveQuoteRequest } from './quote-request.ts'
import { receiveUndo } from './undo.ts'
import { receiveUpdate } from './update.ts'

/** Types whose actor needs no account yet: one is opened only if the activity concerns anyone here. */
const OPENS_LATER = new Set<ActivityType>(['Create', 'Update', 'Delete', 'Announce'])

/**
 * Types accepted from a suspended actor: those that end or prevent something, and updates. Of the other types here, statuses refuses what they
 * publish, and `receiveVote` ignores votes.
 */
const OF_SUSPENDED = new Set<ActivityType>(['Block', 'Delete', 'Reject', 'Undo', 'Update', 'Create', 'Announce'])

/** Whether the signer is the actor of an activity, and its id, if any, is on the signer's host. */
const isOf = ({ id, actor }: Activity, signerUri: string): boolean => actor === signerUri && (id === '' || isSameHost(id, signerUri))

/** Dispatches received activities by type. Ignores unknown types, and activities that the signer has no authority for. */
export const receiveActivities = (deps: ReceivedDeps): OnActivity => {
  const like = receiveLike(deps)
  const pins = receivePins(deps)
  const forwarded = receiveForwarded(deps)
  const reject = receiveReject(deps)
  const undo = receiveUndo(deps, reject)
  const onFavourite = receivePassedOnFavourite(deps, { Like: like, EmojiReact: like, Undo: undo })
  /** Whether an activity of this type is accepted from the actor. */
  const counts = async ({ type }: Activity, actor: RemoteActor): Promise<boolean> => {
    if (!actor.accountId) return OPENS_LATER.has(type)
    return OF_SUSPENDED.has(type) || !(await deps.actors.isSuspended(actor))
  }
  const byType: Readonly<Record<ActivityType, Receive>> = {
    Create: receiveStatus(deps),
    Update: receiveUpdate(deps),
    Delete: receiveDelete(deps),
    Announce: receiveAnnounce(deps, { on: forwarded, onFavourite }),
    Like: like,
    EmojiReact: like,
    Undo: undo,
    Follow: receiveFollow(deps),
    Accept: receiveAccept(deps),
    Reject: reject,
    Block: receiveBlock(deps),
    Flag: receiveFlag(deps),
    Move: receiveMove(deps),
    Add: pins,
    Remove: pins,
    QuoteRequest: receiveQuoteRequest(deps),
  }
  return async (document, signer, context) => {
    const activity = readActivity(document)
    if (activity && context.isForwarded)
      return forwarded({ activity, actor: signer, context, budget: newBudget(context.signal), withAccount: async () => undefined })
    if (!activity || !isOf(activity, signer.uri) || (await deps.relays.answer(activity, signer))) return
    const withAccount = async () => (signer.accountId ? signer : deps.actors.byUri(signer.uri))
    const actor = OPENS_LATER.has(activity.type) ? signer : await withAccount()
    if (!actor || !(await counts(activity, actor))) return
    await byType[activity.type]({ activity, actor, context, budget: newBudget(context.signal), withAccount })
  }
}
