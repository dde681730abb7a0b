import { prepared, type Source, type Tx } from '@rookery/database'
import { type Consumer, consumer, type EventTables } from '@rookery/events'
import { type Kysely, sql } from 'kysely'

/** A table of one row: the list that auth published last, in its own schema and in those of the services that follow it. */
export type BarredNetworksTable = { isOnly: boolean; networks: string[] }

type BarredNetworksTables = { barredNetworks: BarredNetworksTable }

/** Makes the table, as an expand step of a service's migrations. */
export const createTable = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create table barred_networks (is_only boolean primary key default true check (is_only), networks text[] not null)`.execute(db)
}

/** Replaces the list. */
export const keepNetworks = async <Tables extends BarredNetworksTables>(tx: Tx<Tables>, networks: readonly string[]): Promise<void> => {
  await sql`insert into barred_networks (networks) values (${networks}::text[]) on conflict (is_only) do update set networks = excluded.networks`.execute(
    tx,
  )
}

const readNetworks = prepared(
  'barred-networks.read',
  (_given: object) => sql<{ networks: string[] }>`select networks from barred_networks where is_only`,
)

/** The networks that are kept, as `192.0.2.0/24`; none before a list was published. */
export const keptNetworks = async (source: Source): Promise<string[]> => (await readNetworks(source, {}))[0]?.networks ?? []

/** Keeps in a service's own table which networks have no access, as the topic of auth says. */
export const followBarredNetworks = <Tables extends EventTables & BarredNetworksTables>(named: {
  name: string
  topic: string
}): Consumer<Tables> =>
  consumer<Tables, 'networksBarred'>({
    ...named,
    kinds: ['networksBarred'],
    isUnhurried: true,
    handle: (tx, received) => keepNetworks(tx, received.at(-1)?.event.value.networks ?? []),
  })
