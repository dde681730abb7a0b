import type { AttachmentsDefinition } from '@rookery/contracts/media'
import { EmojiOperatorDefinition, EmojisDefinition } from '@rookery/contracts/statuses'
import { type Database, transact } from '@rookery/database'
import { orNotFound } from '@rookery/failures'
import type { Ids } from '@rookery/ids'
import { type Client, type Handler, handler } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { customEmojiMessage } from './emoji.message.ts'
import { EmojiReader, EmojiWriter } from './emoji.store.ts'
import { importEmoji } from './import-emoji.ts'

/** The emojis a picker shows. */
export const createEmojisRpc = ({ database }: { database: Database<StatusesTables> }): Handler =>
  handler(EmojisDefinition, {
    list: async () => {
      const emojis = await new EmojiReader(database.db).all()
      return { emojis: emojis.filter((emoji) => emoji.visibleInPicker).map(customEmojiMessage) }
    },
  })

type Deps = { database: Database<StatusesTables>; attachments: Client<typeof AttachmentsDefinition>; ids: Ids; clock: Clock }

/** The service EmojiOperator of the contract, for the machine's own socket only. */
export const createEmojiOperatorRpc = (deps: Deps): Handler => {
  const { db } = deps.database
  const add = importEmoji(deps)
  return handler(EmojiOperatorDefinition, {
    import: async (call, request) => customEmojiMessage(await add(call, request)),
    list: async () => ({ emojis: (await new EmojiReader(db).all()).map(customEmojiMessage) }),
    remove: async (_call, { shortcode }) =>
      customEmojiMessage(orNotFound(await transact(db, (tx) => new EmojiWriter(tx).remove(shortcode)), `no emoji ${shortcode}`)),
  })
}
