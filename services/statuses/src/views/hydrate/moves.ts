import type { AccountView } from '@rookery/contracts/statuses'
import type { AccountRow } from '../account.store.ts'
import type { AccountEntry } from '../present/account.ts'

type Deps = {
  readVersions(ids: readonly string[]): Promise<readonly Pick<AccountRow, 'id' | 'version'>[]>
  hydrate(versions: ReadonlyMap<string, number>): Promise<Map<string, AccountEntry>>
}

/**
 * Adds to accounts the accounts they moved to, in their current version, which is not part of the first ones' version. One statement for all, two
 * with a cold cache, none if no one moved. Chains of moves are not followed further (beyond-the-spec 1.1, moved).
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
