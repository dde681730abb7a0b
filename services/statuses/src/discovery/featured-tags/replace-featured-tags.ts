import { LIMITS } from '@rookery/contracts/limits'
import type { RemoteFeaturedTags } from '@rookery/contracts/statuses'
import { type Database, transact } from '@rookery/database'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { type NamedTag, TagWriter, tagOf } from '../../timelines/tags/index.ts'
import { FeaturedTagWriter } from './featured-tag.store.ts'

/** The first valid tags among names, deduplicated, sorted by name so that writers lock them in the same order. */
const tagsAmong = (names: readonly string[]): NamedTag[] => {
  const tags = new Map<string, NamedTag>()
  for (const tag of names.flatMap((name) => tagOf(name) ?? [])) {
    if (tags.size < LIMITS.accounts.maxFeaturedTags && !tags.has(tag.name)) tags.set(tag.name, tag)
  }
  return [...tags.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Replaces the featured tags of a remote account. Does nothing for local accounts. */
export const replaceFeaturedTags =
  ({ database, clock }: { database: Database<StatusesTables>; clock: Clock }) =>
  async ({ accountId, names }: RemoteFeaturedTags): Promise<void> => {
    const tags = tagsAmong(names)
    const now = new Date(clock.now())
    await transact(database.db, async (tx) => {
      const featured = new FeaturedTagWriter(tx)
      if (!(await featured.lockRemote(accountId))) return
      const shown = await featured.keepOnly(
        accountId,
        tags.map(({ name }) => name),
      )
      for (const tag of tags.filter(({ name }) => !shown.includes(name))) {
        await new TagWriter(tx).name(tag, now)
        await featured.add(accountId, tag, now)
      }
    })
  }
