import { RemoteFilePurpose } from '@rookery/contracts/media'
import type { RemoteProfile, StoredRemoteAccount } from '@rookery/contracts/statuses'
import { type Database, type Tx, transact } from '@rookery/database'
import { Failure } from '@rookery/failures'
import type { Ids } from '@rookery/ids'
import type { Call } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import { emojiWithOwnAddresses, filesOfEmojis, type RemoteFileAddresses } from '../../content/attachments/index.ts'
import { keepRemoteEmojis } from '../../content/emojis/index.ts'
import { addressedBy } from '../../content/text/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import { requestMarking } from '../../posts/statuses/index.ts'
import { closeAccountWithin } from '../account-lifecycle/index.ts'
import { applyLimits } from './apply-limit.ts'
import { RemoteAccountWriter } from './remote-account.store.ts'
import { keptProfile, type RemoteColumns } from './remote-profile.rules.ts'

type Deps = {
  database: Database<StatusesTables>
  ids: Ids
  clock: Clock
  baseUrl: string
  addressRemoteFiles: RemoteFileAddresses
}

const { AVATAR, HEADER } = RemoteFilePurpose

/** Usernames of this server among the uris of accounts. */
const localAmong = (uris: readonly string[], baseUrl: string): string[] =>
  uris.flatMap((uri) => addressedBy(uri, baseUrl)?.username.toLowerCase() ?? [])

/**
 * Keeps what a person's server says of them; the first call opens the account, as the limits of its domain want it.
 * @throws Failure invalid for what cannot be a person of another server, conflict for a handle that another uri holds, and while the account
 * is being removed
 */
export const storeAccount = ({ database, ids, clock, baseUrl, addressRemoteFiles }: Deps) => {
  const ownDomain = new URL(baseUrl).host
  const keepEmojis = keepRemoteEmojis(database)

  const freeHandle = async (tx: Tx<StatusesTables>, columns: RemoteColumns, isReplacement: boolean) => {
    const holder = await new RemoteAccountWriter(tx).holderOf(columns)
    if (holder === undefined) return
    if (!isReplacement) throw new Failure('conflict', 'Username has already been taken', { cause: `${columns.uri} is not ${holder}` })
    await closeAccountWithin(tx, holder, new Date(clock.now()))
  }

  /** Pictures are read from this server, not from theirs. */
  const withOwnPictures = async (call: Call, columns: RemoteColumns): Promise<RemoteColumns> => {
    const [avatar, header] = [
      { url: columns.avatarUrl, purpose: AVATAR },
      { url: columns.headerUrl, purpose: HEADER },
    ]
    const shown = { domain: columns.domain, files: [avatar, header, ...filesOfEmojis(columns.emojis)], isWantedSoon: true }
    const addressOf = await addressRemoteFiles(call, shown)
    const own = emojiWithOwnAddresses(addressOf)
    await keepEmojis({ domain: columns.domain, emojis: columns.emojis, own })
    const [ownAvatar, ownHeader] = [addressOf(avatar), addressOf(header)]
    return {
      ...columns,
      avatarUrl: ownAvatar.url,
      avatarStaticUrl: ownAvatar.staticUrl,
      headerUrl: ownHeader.url,
      headerStaticUrl: ownHeader.staticUrl,
      emojis: columns.emojis.map(own),
    }
  }

  return async (call: Call, profile: RemoteProfile): Promise<StoredRemoteAccount> => {
    const { columns: said, aliases, ...opening } = keptProfile(profile, { ownDomain, now: clock.now() })
    const columns = await withOwnPictures(call, said)
    return transact(database.db, async (tx) => {
      const accounts = new RemoteAccountWriter(tx)
      await accounts.claim(columns.uri)
      const known = await accounts.hold(columns.uri)
      if (known?.isClosed) throw new Failure('conflict', 'The account is being removed')
      await freeHandle(tx, columns, profile.replacesHandle)
      const id = known?.id ?? ids.next()
      if (known) await accounts.change(id, columns, opening.counts)
      else if (!(await accounts.add(id, columns, opening))) throw new Failure('conflict', 'Username has already been taken')
      if (known && known.indexable !== columns.indexable) await requestMarking(tx, id)
      await accounts.replaceAliases(id, await accounts.known(aliases, localAmong(aliases, baseUrl)))
      const { isSuspended } = profile
      // What staff of this server decided stays.
      const followsServer = isSuspended ? !known?.isSuspended : known?.suspendedByServer
      if (followsServer) await accounts.followServer(id, isSuspended)
      if (!known || (followsServer && !isSuspended)) await applyLimits(tx, [id])
      return { id, isNew: !known }
    })
  }
}
