import { prepared, type Source, type Tx } from '@rookery/database'
import { type Consumer, consumer, type EventTables } from '@rookery/events'
import { type Kysely, sql } from 'kysely'

/** The table of one row that holds the list auth published last. auth and the services that follow the list have it in their schemas. */
export type BarredNetworksTable = { isOnly: boolean; networks: string[] }

type BarredNetworksTables = { barredNetworks: BarredNetworksTable }

/** Creates the table, as an expand step of a service's migrations. */
export const createTable = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create table barred_networks (is_only boolean primary key default true check (is_only), networks text[] not null)`.execute(db)
}

/** Replaces the list. */
export const replaceNetworks = async <Tables extends BarredNetworksTables>(tx: Tx<Tables>, networks: readonly string[]): Promise<void> => {
  await sql`insert into barred_networks (networks) values (${networks}::text[]) on conflict (is_only) do update set networks = excluded.networks`.execute(
    tx,
  )
}

const readNetworks = prepared('barred-networks.read', () => sql<{ networks: string[] }>`select networks from barred_networks where is_only`)

/** The stored networks, as `192.0.2.0/24`; none before a list was published. */
export const readStoredNetworks = async (source: Source): Promise<string[]> => (await readNetworks(source, {}))[0]?.networks ?? []

/** A consumer of auth's topic that stores the networks without access in the service's own table. */
export const followBarredNetworks = <Tables extends EventTables & BarredNetworksTables>(named: {
  name: string
  topic: string
}): Consumer<Tables> =>
  consumer<Tables, 'networksBarred'>({
    ...named,
    kinds: ['networksBarred'],
    isUnhurried: true,
    handle: (tx, received) => replaceNetworks(tx, received.at(-1)?.event.value.networks ?? []),
  })
