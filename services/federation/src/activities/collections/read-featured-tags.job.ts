import { type Job, job } from '@rookery/jobs'
import { READ_FEATURED_TAGS } from '../../actors/index.ts'
import { DocumentError } from '../../contract.ts'
import { ownCall } from '../../own-call.ts'
import { readHashtags } from '../../vocabulary/index.ts'
import type { ReceivedDeps } from '../received/deps.ts'

/** Timeout, in milliseconds. */
const MILLISECONDS = 30_000

/** Reads the featured tags of a remote account. They stay unchanged if the fetch fails. */
export const readFeaturedTagsJob = ({ actors, fetchDocument, statuses, log }: ReceivedDeps): Job =>
  job<{ uri: string; featuredTagsUri: string }>({
    name: READ_FEATURED_TAGS,
    lane: 'reading',
    async run({ uri, featuredTagsUri }) {
      const [actor] = await actors.knownByUris([uri])
      if (!actor?.accountId) return
      const found = await fetchDocument(featuredTagsUri, { signal: AbortSignal.timeout(MILLISECONDS) }).catch((error) => {
        if (!(error instanceof DocumentError)) throw error
        log.debug({ err: error, uri }, 'no featured tags of another server')
        return undefined
      })
      const names = found && readHashtags(found.document)
      if (names) await statuses.featuredTags.replace(ownCall(), { accountId: actor.accountId, names })
    },
  })
