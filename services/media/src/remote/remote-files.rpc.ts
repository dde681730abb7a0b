import { RemoteFilesDefinition } from '@rookery/contracts/media'
import { type Handler, handler } from '@rookery/rpc'
import { addressFiles } from './address-files.ts'

/** The calls of media.v1.RemoteFiles. */
export const remoteFilesHandler = (deps: Parameters<typeof addressFiles>[0]): Handler => {
  const address = addressFiles(deps)
  return handler(RemoteFilesDefinition, { address: (_call, request) => address(request) })
}
