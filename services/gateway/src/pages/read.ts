import { notFound } from '@rookery/failures'
import type { Call } from '@rookery/rpc'
import type { Clients } from '../clients.ts'
import type { Frame, Page } from './page.ts'

/** What a page is made from. */
export type PageDeps = { call: Call; frame: Frame; clients: Clients; query: URLSearchParams }

/** What the path of a page names, as clients write it and as servers do (beyond-the-spec 3.4). */
export type Address = { name?: string; id?: string; tag?: string; date?: string }

/** Reads a page as anyone may see it. @throws Failure not_found where there is none */
export type Read = (address: Address, deps: PageDeps) => Promise<Page>

/** A name of this server, or one with the domain of another. @throws Failure not_found for what cannot be a name */
export const acctIn = ({ name = '' }: Address): string => {
  if (!/^(?:\w{1,30}|[\w.-]{1,64}@[^@/\s]{1,253})$/.test(name)) throw notFound(`${name} is no name`)
  return name
}
