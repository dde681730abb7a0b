import { IpBlocksDefinition, TokensDefinition } from '@rookery/contracts/auth'
import { ConversationsDefinition, GraphDefinition, ListsDefinition, ViewsDefinition } from '@rookery/contracts/statuses'
import type { StatelessDeclaration } from '@rookery/runtime/service'
import { createStreaming, readStreamingConfig, type StreamingConfig } from './module.ts'

/** The declaration of the service. */
export const streaming: StatelessDeclaration<StreamingConfig> = {
  name: 'streaming',
  calls: ['auth', 'statuses'],
  readConfig: readStreamingConfig,
  create: (given) => {
    const tokens = given.client('auth', TokensDefinition)
    const ipBlocks = given.client('auth', IpBlocksDefinition)
    const views = given.client('statuses', ViewsDefinition)
    const graph = given.client('statuses', GraphDefinition)
    const conversations = given.client('statuses', ConversationsDefinition)
    const lists = given.client('statuses', ListsDefinition)
    return createStreaming({ ...given, auth: { tokens, ipBlocks }, statuses: { views, graph, conversations, lists } })
  },
}
