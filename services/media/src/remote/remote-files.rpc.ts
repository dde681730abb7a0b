import { RemoteFilesDefinition } from '@rookery/contracts/media'
import { type Handler, handler } from '@rookery/rpc'
import { addressFiles } from './address-files.ts'
import { readEmoji } from './read-emoji.ts'

/** Serves media.v1.RemoteFiles. */
export const createRemoteFilesRpc = (deps: Parameters<typeof addressFiles>[0] & Parameters<typeof readEmoji>[0]): Handler => {
  const address = addressFiles(deps)
  const read = readEmoji(deps)
  return handler(RemoteFilesDefinition, {
    address: (_call, request) => address(request),
    readEmoji: async (_call, request) => ({ content: await read(request) }),
  })
}
