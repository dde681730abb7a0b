import type { AttachmentsDefinition, RemoteFilesDefinition } from '@rookery/contracts/media'
import {
  type ChangeEmojiRequest,
  type CopyEmojiRequest,
  EmojiOperatorDefinition,
  EmojisDefinition,
  type ImportEmojiRequest,
  type RemoveEmojiRequest,
  type SetEmojiDisabledRequest,
  StaffEmojisDefinition,
} from '@rookery/contracts/statuses'
import { type Database, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { invalid, orNotFound } from '@rookery/failures'
import type { Ids } from '@rookery/ids'
import { type Call, type Client, type Handler, handler } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { emojiActed } from './emoji.events.ts'
import { customEmojiMessage } from './emoji.message.ts'
import { isShortcode } from './emoji.rules.ts'
import { EmojiReader, type EmojiRow, EmojiWriter } from './emoji.store.ts'
import { importEmoji } from './import-emoji.ts'
import { remoteEmojis } from './remote-emojis.ts'

/** Serves Emojis of the contract: the emojis of pickers. */
export const createEmojisRpc = ({ database }: { database: Database<StatusesTables> }): Handler =>
  handler(EmojisDefinition, {
    list: async () => {
      const emojis = await new EmojiReader(database.db).all()
      return { emojis: emojis.filter((emoji) => emoji.visibleInPicker && !emoji.isDisabled).map(customEmojiMessage) }
    },
  })

type Deps = {
  database: Database<StatusesTables>
  outbox: Outbox
  attachments: Client<typeof AttachmentsDefinition>
  remoteFiles: Client<typeof RemoteFilesDefinition>
  ids: Ids
  clock: Clock
}

/** The calls of operators and staff. */
const managing = (deps: Deps) => {
  const { outbox } = deps
  const { db } = deps.database
  const add = importEmoji(deps)
  type Acting = (writer: EmojiWriter) => Promise<EmojiRow | undefined>
  /** Changes an emoji, and records the act. @throws Failure not_found */
  const act = (action: string, { shortcode, staffId }: { shortcode: string; staffId: string }, work: Acting) =>
    transact(db, async (tx) => {
      const emoji = orNotFound(await work(new EmojiWriter(tx)), `no emoji ${shortcode}`)
      await outbox.append(tx, [emojiActed(action, staffId, shortcode)])
      return customEmojiMessage(emoji)
    })
  return {
    ...remoteEmojis({ ...deps, add }),
    import: async (call: Call, request: ImportEmojiRequest) => customEmojiMessage(await add(call, request)),
    list: async () => ({ emojis: (await new EmojiReader(db).all()).map(customEmojiMessage) }),
    remove: (_call: Call, request: RemoveEmojiRequest) => act('remove_emoji', request, (writer) => writer.remove(request.shortcode)),
    change: (_call: Call, request: ChangeEmojiRequest) =>
      act('change_emoji', request, (writer) => {
        const { shortcode, category, visibleInPicker } = request
        return writer.change(shortcode, { category: category.trim() || null, visibleInPicker })
      }),
    setDisabled: (_call: Call, request: SetEmojiDisabledRequest) =>
      act(request.isDisabled ? 'disable_emoji' : 'enable_emoji', request, (writer) =>
        writer.change(request.shortcode, { isDisabled: request.isDisabled }),
      ),
    copy: (_call: Call, { shortcode, newShortcode, staffId }: CopyEmojiRequest) => {
      if (!isShortcode(newShortcode)) throw invalid('Shortcode must be 2 to 128 letters, digits or underscores')
      return act('import_emoji', { shortcode: newShortcode, staffId }, async (writer) => {
        const { visibleInPicker: _, isDisabled: __, ...emoji } = orNotFound(await writer.find(shortcode), `no emoji ${shortcode}`)
        if (await writer.find(newShortcode)) throw invalid('Shortcode has already been taken')
        return writer.put({ ...emoji, shortcode: newShortcode, createdAt: new Date(deps.clock.now()) })
      })
    },
  }
}

/** Serves EmojiOperator of the contract, on the operator's socket only. */
export const createEmojiOperatorRpc = (deps: Deps): Handler => {
  const { change: _, copy: __, ...managed } = managing(deps)
  return handler(EmojiOperatorDefinition, managed)
}

/** Serves StaffEmojis of the contract. */
export const createStaffEmojisRpc = (deps: Deps): Handler => handler(StaffEmojisDefinition, managing(deps))
