import type { AccountView } from '@rookery/contracts/statuses'
import { coveringDomains } from '@rookery/domain-names'
import type { CardCreator } from '../../database/tables/card.ts'
import type { readCardAuthors } from '../card-author.store.ts'
import type { AccountEntry } from '../present/account.ts'

type Claims = Parameters<typeof readCardAuthors>[1]

/** Something with a card, and whom the page of that names. */
export type WithCard = { readonly id: string; readonly creator?: CardCreator | undefined }

type Deps = {
  readAuthors(claims: Claims): ReturnType<typeof readCardAuthors>
  hydrate(versions: ReadonlyMap<string, number>): Promise<Map<string, AccountEntry>>
  followMoves(found: ReadonlyMap<string, AccountEntry>): Promise<ReadonlyMap<string, AccountView>>
}

/**
 * The accounts of those who wrote what cards show, by what has the card, as both sides say at this moment. One statement where a page names
 * anyone, two cold.
 */
export const cardAuthorFinder =
  ({ readAuthors, hydrate, followMoves }: Deps) =>
  async (shown: readonly WithCard[]): Promise<ReadonlyMap<string, AccountView>> => {
    const named = shown.flatMap(({ id, creator }) => (creator ? [{ id, ...creator }] : []))
    if (named.length === 0) return new Map()
    const rows = await readAuthors({
      usernames: named.map(({ username }) => username),
      domains: named.map(({ domain }) => domain),
      hosts: named.map(({ host }) => coveringDomains(host).join(' ')),
    })
    const accounts = await followMoves(await hydrate(new Map(rows.map(({ id, version }) => [id, version]))))
    return new Map(
      rows.flatMap(({ place, id }) => {
        const account = accounts.get(id)
        return account ? [[named[place - 1]!.id, account] as const] : []
      }),
    )
  }
