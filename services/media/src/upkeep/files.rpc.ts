import { FileOperatorDefinition } from '@rookery/contracts/media'
import { Failure } from '@rookery/failures'
import { type Handler, handler } from '@rookery/rpc'
import type { PruneRemote, ReadUsage } from '../remote/index.ts'
import type { Storage } from '../storage/index.ts'
import { compareFiles } from './compare-files.ts'

/** How long one call copies, in milliseconds: the operator's calls have a deadline of half a minute. */
const MILLISECONDS = 10_000

type Deps = { storage: Storage; readUsage: ReadUsage; pruneRemote: PruneRemote } & Parameters<typeof compareFiles>[0]

/** Serves media.v1.FileOperator. */
export const createFileOperatorRpc = (deps: Deps): Handler => {
  const { storage } = deps
  const compare = compareFiles(deps)
  return handler(FileOperatorDefinition, {
    async copy(_call, { afterKey }) {
      if (!storage.copyAfter) throw new Failure('invalid', 'Files do not move: MEDIA_STORAGE must be moving.')
      const end = Date.now() + MILLISECONDS
      return storage.copyAfter(afterKey, () => Date.now() > end)
    },
    async compare(_call, request) {
      const { unknown: unknownKeys, missing, ...rest } = await compare(request)
      return {
        ...rest,
        unknownKeys,
        missing: missing.map(({ key, mediaId, ownerId }) => ({ key, mediaId: mediaId ?? '', ownerId: ownerId ?? '' })),
      }
    },
    readUsage: () => deps.readUsage(),
    pruneRemote: (_call, request) => deps.pruneRemote(request),
  })
}
