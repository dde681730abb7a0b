import { ResolverDefinition } from '@rookery/contracts/federation'
import { notFound } from '@rookery/failures'
import { type Handler, handler } from '@rookery/rpc'
import { DocumentError, type Vocabulary } from '../contract.ts'
import { hostOf } from '../host.rules.ts'
import { resolveHandle } from './resolve-handle.ts'
import { resolveUrl } from './resolve-url.ts'

type Deps = Parameters<typeof resolveHandle>[0] & Parameters<typeof resolveUrl>[0] & { openThread: Vocabulary['openThread'] }

/** A failed fetch is not_found for the caller. */
const orMissing = (error: unknown): never => {
  if (error instanceof DocumentError) throw notFound(error.message)
  throw error
}

/** The calls of federation.v1.Resolver. Only local users may cause requests to other servers, within a rate limit. */
export const createResolverRpc = (deps: Deps): Handler => {
  const byHandle = resolveHandle(deps)
  const byUrl = resolveUrl(deps)
  const ownHost = new URL(deps.config.baseUrl).host

  const refreshThread = async (uri: string, askerId: string): Promise<void> => {
    const host = hostOf(uri)
    if (!askerId || !host || host === ownHost) return
    const status = await deps.limits.count([{ limit: 'threads', by: askerId }])
    if (!status?.isExceeded) await deps.openThread(uri)
  }

  return handler(ResolverDefinition, {
    refreshThread: async (_call, { statusUri, askerId }) => {
      await refreshThread(statusUri, askerId)
      return {}
    },
    resolveHandle: async (_call, asked) => ({ accountId: await byHandle(asked).catch(orMissing), statusId: '' }),
    resolveUrl: (_call, asked) => byUrl(asked).catch(orMissing),
  })
}
