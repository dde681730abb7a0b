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

/** An account to be stored: its former state, and the values of its server. */
type Kept = {
  id: string
  known: Awaited<ReturnType<RemoteAccountWriter['hold']>>
  columns: RemoteColumns
  opening: Parameters<RemoteAccountWriter['add']>[2]
}

const { AVATAR, HEADER } = RemoteFilePurpose

/** The local usernames among account uris. */
const localAmong = (uris: readonly string[], baseUrl: string): string[] =>
  uris.flatMap((uri) => addressedBy(uri, baseUrl)?.username.toLowerCase() ?? [])

/** Closes the account with the same handle, if it is to be replaced. @throws Failure conflict if it is not */
const freeHandle = async (tx: Tx<StatusesTables>, columns: RemoteColumns, { isReplaced, now }: { isReplaced: boolean; now: Date }) => {
  const holder = await new RemoteAccountWriter(tx).holderOf(columns)
  if (holder === undefined) return
  if (!isReplaced) throw new Failure('conflict', 'Username has already been taken', { cause: `${columns.uri} is not ${holder}` })
  await closeAccountWithin(tx, holder, now)
}

/** Replaces image URLs by those of copies on this server. */
const picturesKeeper = ({ database, addressRemoteFiles }: Deps) => {
  const keepEmojis = keepRemoteEmojis(database)
  return async (call: Call, columns: RemoteColumns): Promise<RemoteColumns> => {
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
}

/** Writes the columns of an account, which is added if unknown. @throws Failure conflict for a handle that was taken meanwhile */
const writeColumns = async (tx: Tx<StatusesTables>, { id, known, columns, opening }: Kept) => {
  const accounts = new RemoteAccountWriter(tx)
  if (known) await accounts.change(id, columns, opening.counts)
  else if (!(await accounts.add(id, columns, opening))) throw new Failure('conflict', 'Username has already been taken')
  if (known && known.indexable !== columns.indexable) await requestMarking(tx, id)
}

/** Follows the suspension of the account's own server. Decisions of our staff stay. */
const followServer = async (tx: Tx<StatusesTables>, { id, known }: Kept, { isSuspended }: RemoteProfile) => {
  const isServers = isSuspended ? !known?.isSuspended : known?.suspendedByServer
  if (isServers) await new RemoteAccountWriter(tx).followServer(id, isSuspended)
  if (!known || (isServers && !isSuspended)) await applyLimits(tx, [id])
}

/**
 * Shows the account as moved as its own server does, if the other account is known here. Only a Move takes followers along. A server that takes a move
 * back sends no more than the profile without it.
 */
const followMove = async (tx: Tx<StatusesTables>, { id, known }: Kept, { movedTo, isSuspended }: RemoteProfile, baseUrl: string) => {
  if (isSuspended || movedTo === undefined || (movedTo === '' && !known?.movedToId)) return
  const accounts = new RemoteAccountWriter(tx)
  const [toId = null] = movedTo ? await accounts.known([movedTo], localAmong([movedTo], baseUrl)) : []
  await accounts.followMove(id, toId)
}

/**
 * Stores the profile of a remote account as its server sends it; the first call adds the account, with the limits of its domain.
 * @throws Failure invalid for an account that cannot be remote; conflict for a handle that another uri has, and while the account is being removed
 */
export const storeAccount = (deps: Deps) => {
  const { database, ids, clock, baseUrl } = deps
  const ownDomain = new URL(baseUrl).host
  const withOwnPictures = picturesKeeper(deps)

  return async (call: Call, profile: RemoteProfile): Promise<StoredRemoteAccount> => {
    const { columns: said, aliases, ...opening } = keptProfile(profile, { ownDomain, now: clock.now() })
    const columns = await withOwnPictures(call, said)
    return transact(database.db, async (tx) => {
      const accounts = new RemoteAccountWriter(tx)
      await accounts.claim(columns.uri)
      const known = await accounts.hold(columns.uri)
      if (known?.isClosed) throw new Failure('conflict', 'The account is being removed')
      await freeHandle(tx, columns, { isReplaced: profile.replacesHandle, now: new Date(clock.now()) })
      const kept = { id: known?.id ?? ids.next(), known, columns, opening }
      await writeColumns(tx, kept)
      await accounts.replaceAliases(kept.id, await accounts.known(aliases, localAmong(aliases, baseUrl)))
      await followServer(tx, kept, profile)
      await followMove(tx, kept, profile, baseUrl)
      return { id: kept.id, isNew: !known }
    })
  }
}
