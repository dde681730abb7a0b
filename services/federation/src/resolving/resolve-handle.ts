import { Failure, notFound } from '@rookery/failures'
import type { RateLimiter } from '@rookery/http/limits'
import type { Actors } from '../contract.ts'
import { handleOf } from './webfinger.rules.ts'
import type { WebFinger } from './webfinger.ts'

export type LookupLimits = { limits: RateLimiter }

/**
 * Counts a look-up on another server against the limit of the local asker. @throws Failure not_found without an asker, exhausted above the
 * limit
 */
export const countLookup = async (
  { limits }: LookupLimits,
  { askerId, isImported }: { askerId: string; isImported: boolean },
): Promise<void> => {
  if (!askerId) throw notFound('only people of this server have others asked')
  const status = await limits.count([{ limit: isImported ? 'importedLookups' : 'lookups', by: askerId }])
  if (status?.isExceeded) throw new Failure('exhausted', 'Too many requests')
}

type Deps = LookupLimits & { actors: Actors; webFinger: WebFinger; config: { baseUrl: string; allowsPrivate: boolean } }

/** As `ResolveHandleRequest`. */
type Asked = { handle: string; askerId: string; isFresh: boolean; isImported: boolean }

/** The account with a handle, as its server confirms it. @throws Failure not_found, exhausted; DocumentError if a fetch fails */
export const resolveHandle = ({ actors, webFinger, config, limits }: Deps) => {
  const ownHost = new URL(config.baseUrl).host
  return async (asked: Asked): Promise<string> => {
    const handle = handleOf(asked.handle, config)
    if (!handle || handle.domain === ownHost) throw notFound('no handle of another server')
    await countLookup({ limits }, asked)
    const confirmed = await webFinger(handle)
    const actor = confirmed && (await actors.byUri(confirmed.actorUri, { isSought: true, isFresh: asked.isFresh }))
    if (!actor?.accountId) throw notFound('no such person')
    return actor.accountId
  }
}
