import type { IpBlocksDefinition, TokensDefinition } from '@rookery/contracts/auth'
import type { ConversationsDefinition, GraphDefinition, ListsDefinition, ViewsDefinition } from '@rookery/contracts/statuses'
import type { LiveChannel, Presence, RateCounter } from '@rookery/ephemeral'
import type { Client } from '@rookery/rpc'
import type { Clock, Logger } from '@rookery/runtime'
import type { StreamingConfig } from './config.ts'
import type { Every } from './transports/heartbeat.ts'

/** The dependencies of streaming. */
export type StreamingDeps = {
  live: LiveChannel
  presence: Presence
  rates: RateCounter
  clock: Clock
  auth: { tokens: Client<TokensDefinition>; ipBlocks: Client<IpBlocksDefinition> }
  statuses: {
    views: Client<ViewsDefinition>
    graph: Client<GraphDefinition>
    conversations: Client<ConversationsDefinition>
    lists: Client<ListsDefinition>
  }
  log: Logger
  config: StreamingConfig
  /** Intervals; the machine's own by default. */
  every?: Every
  /** Pauses between retries of reading an event's views, in milliseconds; after the last its streams are closed. */
  retryAfter?: readonly number[]
}
