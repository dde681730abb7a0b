import type { AccountView } from '@rookery/contracts/statuses'
import type { AccountRow } from '../account.store.ts'
import type { AccountEntry } from '../present/account.ts'

type Deps = {
  readVersions(ids: readonly string[]): Promise<readonly Pick<AccountRow, 'id' | 'version'>[]>
  hydrate(versions: ReadonlyMap<string, number>): Promise<Map<string, AccountEntry>>
}

/**
 * Puts where people are now beside the accounts they moved from, as it is at this moment: its version is no part of theirs. One statement
 * for all of them, two cold, and none where no one moved. Who moved on from there is not followed further (beyond-the-spec 1.1, moved).
 */
export const destinationFinder =
  ({ readVersions, hydrate }: Deps) =>
  async (found: ReadonlyMap<string, AccountEntry>): Promise<ReadonlyMap<string, AccountView>> => {
    const movedTo = new Set([...found.values()].flatMap(({ movedToId }) => movedToId ?? []))
    if (movedTo.size === 0) return found
    const versions = await readVersions([...movedTo])
    const targets = await hydrate(new Map(versions.map(({ id, version }) => [id, version])))
    return new Map([...found].map(([id, entry]) => [id, { ...entry, moved: targets.get(entry.movedToId ?? '') }]))
  }
