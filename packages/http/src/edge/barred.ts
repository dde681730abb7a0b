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

/** Networks without any access. */
export type BarredNetworks = {
  /** Refuses callers from them, with 403. The list is read again every 30 seconds while requests come, beside them: no request waits for it. */
  readonly refuse: RequestHandler
  includes(address: string): boolean
  /** Reads the list again. While that fails the last answer counts. Never rejects. */
  refresh(): Promise<void>
}

/** Networks without any access, of which none is known yet. `read` answers with them, as `192.0.2.0/24`. */
export const createBarredNetworks = (deps: {
  read: () => Promise<readonly string[]>
  now: () => number
  log: { warn: (fields: object, message: string) => void }
}): BarredNetworks => {
  // What the list costs is no request's: it is read outside of all.
  const outside = new AsyncResource('networks without access')
  let list: BlockList | undefined
  let readAt = Number.NEGATIVE_INFINITY
  const refresh = async () => {
    readAt = deps.now()
    try {
      list = listOf(await deps.read())
    } catch (error) {
      deps.log.warn({ err: error }, 'reading the networks without access failed')
    }
  }
  const includes = (address: string) => list !== undefined && address !== '' && list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
  return {
    includes,
    refresh,
    refuse(request, _response, next) {
      const age = deps.now() - readAt
      // Below zero the clock was set back, and does not say how long ago that was.
      if (age < 0 || age >= FRESH) void outside.runInAsyncScope(refresh)
      next(list && includes(addressOf(request)) ? notAllowed('the network is barred') : undefined)
    },
  }
}
