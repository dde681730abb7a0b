import pg from 'pg'
import { openSession } from './session/index.ts'

/** A service's role: its name is also its schema's. */
type ServiceRole = { name: string; password?: string }

/** The role that a url names, with the url's password if it has one. */
export const roleOf = (url: string): ServiceRole => {
  const { username, password } = new URL(url)
  return { name: decodeURIComponent(username), ...(password && { password: decodeURIComponent(password) }) }
}

/**
 * Gives every service a role and a schema of its own in the database an administrator's url names, and nothing else: a role reads and
 * writes its own schema and cannot see another's. Safe to run at every start and by several processes at once.
 */
export const prepareDatabase = async (administratorUrl: string, roles: readonly ServiceRole[]): Promise<void> => {
  const client = await openSession({ url: administratorUrl, limits: { statement: Number.POSITIVE_INFINITY } })
  try {
    await client.query('select pg_advisory_lock($1)', [PREPARE_LOCK])
    const database = pg.escapeIdentifier((await client.query('select current_database() as name')).rows[0].name)
    await client.query(`revoke all on schema public from public; revoke all on database ${database} from public`)
    await prepareExtensions(client)
    for (const role of roles) await unlessMeanwhile(() => prepareRole(client, database, role))
  } finally {
    await client.end()
  }
}

const PREPARE_LOCK = 7_266_835

/** For searches by parts of words, and by the words of one author. They stand apart from every service, and each may use them by their full name. */
const EXTENSIONS = ['pg_trgm', 'btree_gin'] as const

const prepareExtensions = async (client: pg.Client) => {
  await client.query('create schema if not exists extensions')
  for (const name of EXTENSIONS) await client.query(`create extension if not exists ${name} schema extensions`)
  await client.query('grant usage on schema extensions to public')
}

/** What Postgres answers the second of two that make a role at once, or change it: duplicate_object, unique_violation, tuple concurrently updated. */
const MEANWHILE: ReadonlySet<unknown> = new Set(['42710', '23505', 'XX000'])
const MAX_ATTEMPTS = 5

/** Roles are shared by all databases of a server, and the lock is not: what another database's start did meanwhile is found by the next attempt. */
const unlessMeanwhile = async (prepare: () => Promise<void>, attempt = 1): Promise<void> => {
  try {
    await prepare()
  } catch (error) {
    const isMeanwhile = error instanceof pg.DatabaseError && MEANWHILE.has(error.code)
    if (!isMeanwhile || attempt === MAX_ATTEMPTS) throw error
    await unlessMeanwhile(prepare, attempt + 1)
  }
}

const prepareRole = async (client: pg.Client, database: string, { name, password }: ServiceRole) => {
  const role = pg.escapeIdentifier(name)
  const exists = (await client.query('select 1 from pg_roles where rolname = $1', [name])).rowCount
  if (!exists) await client.query(`create role ${role} login`)
  if (password) await client.query(`alter role ${role} password ${pg.escapeLiteral(password)}`)
  await client.query(`grant connect, create on database ${database} to ${role}`)
  await client.query(`create schema if not exists ${role} authorization ${role}`)
  // Only where it is not set: of two that write it at once, Postgres refuses one.
  const isSet = await client.query('select 1 from pg_roles where rolname = $1 and $2 = any (rolconfig)', [name, `search_path=${name}`])
  if (!isSet.rowCount) await client.query(`alter role ${role} set search_path = ${role}`)
}
