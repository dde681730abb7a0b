import { AsyncResource } from 'node:async_hooks'
import { BlockList, isIPv6 } from 'node:net'
import { notAllowed } from '@rookery/failures'
import type { RequestHandler } from 'express'
import { addressOf } from './address.ts'

/** How long a list of networks counts before it is read again, in milliseconds. */
const FRESH = 30_000

/** Undefined for no networks, which is what nearly all servers have: then no address is looked up. */
const listOf = (networks: readonly string[]): BlockList | undefined => {
  if (networks.length === 0) return undefined
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', prefix] = network.split('/')
    list.addSubnet(address, Number(prefix), isIPv6(address) ? 'ipv6' : 'ipv4')
  }
  return list
}

/**
 * Refuses callers from networks that have no access, with 403. `read` answers with those networks, as `192.0.2.0/24`; it is asked every 30
 * seconds while requests come, beside them: no request waits for it, and while it fails the last answer counts.
 */
export const refuseBarred = (deps: {
  read: () => Promise<readonly string[]>
  now: () => number
  log: { warn: (fields: object, message: string) => void }
}): RequestHandler => {
  // What the list costs is no request's: it is read outside of all.
  const outside = new AsyncResource('networks without access')
  let list: BlockList | undefined
  let readAt = Number.NEGATIVE_INFINITY
  const refresh = async () => {
    try {
      list = listOf(await deps.read())
    } catch (error) {
      deps.log.warn({ err: error }, 'reading the networks without access failed')
    }
  }
  return (request, _response, next) => {
    if (deps.now() - readAt >= FRESH) {
      readAt = deps.now()
      void outside.runInAsyncScope(refresh)
    }
    if (!list) return next()
    const address = addressOf(request)
    next(address && list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4') ? notAllowed('the network is barred') : undefined)
  }
}
