import type { AccountView } from '@rookery/contracts/statuses'
import { coveringDomains } from '@rookery/domain-names'
import type { CardCreator } from '../../database/tables/card.ts'
import type { readCardAuthors } from '../card-author.store.ts'
import type { AccountEntry } from '../present/account.ts'

type Claims = Parameters<typeof readCardAuthors>[1]

/** A record with a card, and the author that the card's page names. */
export type WithCard = { readonly id: string; readonly creator?: CardCreator | undefined }

type Deps = {
  readAuthors(claims: Claims): ReturnType<typeof readCardAuthors>
  hydrate(versions: ReadonlyMap<string, number>): Promise<Map<string, AccountEntry>>
  followMoves(found: ReadonlyMap<string, AccountEntry>): Promise<ReadonlyMap<string, AccountView>>
}

/**
 * The accounts of the authors of cards, by the id of the record with the card, if both page and account currently confirm it. One statement if a page
 * names an author, two with a cold cache.
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
