import { AsyncResource } from 'node:async_hooks'
import { BlockList, isIPv6 } from 'node:net'
import { notAllowed } from '@rookery/failures'
import type { RequestHandler } from 'express'
import { addressOf } from './address.ts'

/** How long the list of networks is cached, in milliseconds. */
const FRESH = 30_000

/** Undefined for an empty list, which nearly all servers have: then no address is checked. */
const listOf = (networks: readonly string[]): BlockList | undefined => {
  if (networks.length === 0) return undefined
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', prefix] = network.split('/')
    list.addSubnet(address, Number(prefix), isIPv6(address) ? 'ipv6' : 'ipv4')
  }
  return list
}

/** The networks without access. */
export type BarredNetworks = {
  /**
   * Refuses requests from these networks with 403. While requests come, the list is refreshed every 30 seconds in the background: no
   * request waits for it.
   */
  readonly refuse: RequestHandler
  includes(address: string): boolean
  /** Refreshes the list. If that fails, the previous one stays. Never rejects. */
  refresh(): Promise<void>
}

/** Creates the check, with an empty list at first. `read` returns the networks, as `192.0.2.0/24`. */
export const createBarredNetworks = (deps: {
  read: () => Promise<readonly string[]>
  now: () => number
  log: { warn: (fields: object, message: string) => void }
}): BarredNetworks => {
  // The refresh belongs to no request, so it runs outside the async context of the one that triggers it.
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
      // A negative age means that the clock was set back, so the real age is unknown.
      if (age < 0 || age >= FRESH) void outside.runInAsyncScope(refresh)
      next(list && includes(addressOf(request)) ? notAllowed('the network is barred') : undefined)
    },
  }
}
