import type { IpBlocksDefinition } from '@rookery/contracts/auth'
import { createBarredNetworks } from '@rookery/http'
import type { Client } from '@rookery/rpc'
import type { Clock, Logger } from '@rookery/runtime'
import type { RequestHandler } from 'express'

const TIMEOUT_MILLISECONDS = 5000

/** Refuses requests from networks that staff blocked (beyond-the-spec 2.6, ip_blocks). */
export const refuseBarredBy = ({
  ipBlocks,
  clock,
  log,
}: {
  ipBlocks: Client<IpBlocksDefinition>
  clock: Clock
  log: Logger
}): RequestHandler => {
  const read = async () => {
    const signal = AbortSignal.timeout(TIMEOUT_MILLISECONDS)
    return (await ipBlocks.readBarred({ deadline: Date.now() + TIMEOUT_MILLISECONDS, signal, trace: 'barred-networks' }, {})).networks
  }
  return createBarredNetworks({ read, now: clock.now, log }).refuse
}
