import type { TokensDefinition } from '@rookery/contracts/auth'
import type { Client } from '@rookery/rpc'
import type { Logger } from '@rookery/runtime'
import type { Calls } from '../calls.ts'
import type { OpenChannels } from '../channels/open.ts'
import { isStillValid } from './sign-in.ts'

/** Checks the tokens of all open connections in one call and closes those that are no longer valid, in case the live message was lost. */
export const createTokenWatch = (given: {
  tokens: Client<TokensDefinition>
  open: OpenChannels
  calls: Calls
  log: Logger
}): (() => Promise<void>) => {
  const { tokens, open, calls, log } = given
  return async () => {
    const connections = open.connections()
    const digests = [...new Map(connections.map(({ person }) => [person.tokenId, person.digest])).entries()]
    if (digests.length === 0) return
    try {
      const { holders } = await tokens.check(calls.begin(), { digests: digests.map(([, digest]) => digest) })
      const gone = new Set(digests.flatMap(([tokenId], index) => (isStillValid(holders[index]) ? [] : [tokenId])))
      for (const connection of connections) if (gone.has(connection.person.tokenId)) connection.end('token is no longer valid')
    } catch (error) {
      // Connections survive an outage of auth: no token can be revoked meanwhile.
      log.warn({ err: error }, 'checking the tokens of open streams failed')
    }
  }
}
