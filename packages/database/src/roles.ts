import pg from 'pg'
import { openSession } from './session/index.ts'

/** A service's role, which is also the name of its schema. */
type ServiceRole = { name: string; password?: string }

/** The role of a URL, with its password if there is one. */
export const roleOf = (url: string): ServiceRole => {
  const { username, password } = new URL(url)
  return { name: decodeURIComponent(username), ...(password && { password: decodeURIComponent(password) }) }
}

/**
 * Creates a role and a schema for every service in the database of an administrator's URL: a role can read and write its own schema and
 * sees no other. Safe to run at every start and by several processes at once.
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

/**
 * For searches by substrings, and within one author's posts. They have a schema of their own, and services use them by their full names.
 */
const EXTENSIONS = ['pg_trgm', 'btree_gin'] as const

const prepareExtensions = async (client: pg.Client) => {
  await client.query('create schema if not exists extensions')
  for (const name of EXTENSIONS) await client.query(`create extension if not exists ${name} schema extensions`)
  await client.query('grant usage on schema extensions to public')
}

/** SQLSTATEs when two processes create or change a role at once: duplicate_object, unique_violation, tuple concurrently updated. */
const MEANWHILE: ReadonlySet<unknown> = new Set(['42710', '23505', 'XX000'])
const MAX_ATTEMPTS = 5

/** Roles belong to the whole server, but the lock to one database: after a conflict with the start of another database, it retries. */
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
  // Only if it is not set: when two processes write it at once, Postgres refuses one.
  const isSet = await client.query('select 1 from pg_roles where rolname = $1 and $2 = any (rolconfig)', [name, `search_path=${name}`])
  if (!isSet.rowCount) await client.query(`alter role ${role} set search_path = ${role}`)
}
