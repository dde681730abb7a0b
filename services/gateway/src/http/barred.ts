import type { IpBlocksDefinition } from '@rookery/contracts/auth'
import { createBarredNetworks } from '@rookery/http'
import type { Client } from '@rookery/rpc'
import { callWithin } from '@rookery/rpc/call-within'
import type { Clock, Logger } from '@rookery/runtime'
import type { RequestHandler } from 'express'

const SECONDS_TO_ANSWER = 5

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
  const read = async () => (await ipBlocks.readBarred(callWithin(SECONDS_TO_ANSWER, 'barred-networks'), {})).networks
  return createBarredNetworks({ read, now: clock.now, log }).refuse
}
