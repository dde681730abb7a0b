import { notFound } from '@rookery/failures'
import type { Call } from '@rookery/rpc'
import type { Clients } from '../clients.ts'
import type { Frame, Page } from './page.ts'

/** The dependencies of a page. */
export type PageDeps = { call: Call; frame: Frame; clients: Clients; query: URLSearchParams }

/** The path parameters of a page (beyond-the-spec 3.4). */
export type Address = { name?: string; id?: string; tag?: string; date?: string }

/** Reads a page as anyone may see it. @throws Failure not_found if there is none */
export type Read = (address: Address, deps: PageDeps) => Promise<Page>

/** The acct in a path, of this server or with the domain of another. @throws Failure not_found if it is invalid */
export const acctIn = ({ name = '' }: Address): string => {
  if (!/^(?:\w{1,30}|[\w.-]{1,64}@[^@/\s]{1,253})$/.test(name)) throw notFound(`${name} is no name`)
  return name
}
