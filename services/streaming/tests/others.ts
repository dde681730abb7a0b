import { createHash } from 'node:crypto'
import { IpBlocksDefinition, TokensDefinition } from '@rookery/contracts/auth'
import {
  type AccountPage,
  ConversationsDefinition,
  FiltersDefinition,
  GraphDefinition,
  InteractionsDefinition,
  ListsDefinition,
  type StatusPage,
  ViewsDefinition,
  Visibility,
} from '@rookery/contracts/statuses'
import { systemClock } from '@rookery/runtime'
import { startTestPostgres } from '@rookery/test-stores'
import { innerCall } from '@rookery/test-world/calls'
import { migrateServices } from '@rookery/test-world/schemas'
import pg from 'pg'
import { authSchema, openAuth, statusesClients } from '../../auth/tests/beside.ts'
import { openStatuses, statusesSchema } from '../../statuses/tests/beside.ts'

const SCHEMAS = [authSchema, statusesSchema]

/** All accounts, called person1 and so on, with a login each, and the app of all tokens. */
const SEED = `
  insert into statuses.account (id, username, is_active, created_at) select id, 'person' || id, true, '2020-01-01' from generate_series(1, 2000) id;
  insert into auth.login (account_id, email, password_hash, role, locale, reason, sign_up_address, created_at, confirmed_at, approved_at)
    select id, 'person' || id || '@rookery.example', '', 'user', 'en', '', '', '2020-01-01', '2020-01-01', '2020-01-01' from generate_series(1, 2000) id;
  insert into auth.app (id, client_id, secret_digest, name, website, redirect_uris, scopes, is_operators, created_at)
    values (1, 'app', '', 'Phanpy', '', '{}', '{read}', false, '2020-01-01')`

const digestOf = (token: string) => createHash('sha256').update(token).digest()

/** The columns of inactive logins. */
const LOGIN_STATES = { unconfirmed: 'confirmed_at = null', pending: 'approved_at = null', disabled: 'disabled_at = now()' }

type Change = (text: string, ...values: unknown[]) => Promise<void>

/** Tokens and logins, in the states after sign-ups and acts of staff. */
const tokensOf = (change: Change, auth: ReturnType<typeof openAuth>) => {
  let count = 0
  const issue = (token: string, accountId: string | null, scopes: readonly string[]) =>
    change(
      `insert into auth.access_token (digest, id, app_id, account_id, scopes, created_at) values ($1, $2, 1, $3, $4, now())
         on conflict do nothing`,
      digestOf(token),
      ++count,
      accountId,
      scopes,
    )
  const checked = auth.linked(TokensDefinition)
  return {
    /** The faults of the connection to auth, and the calls made over it. */
    connection: auth,
    tokens: auth.connected(TokensDefinition),
    ipBlocks: auth.connected(IpBlocksDefinition),
    /** Issues a token for a person. */
    issue: (token: string, accountId: string, scopes: readonly string[] = ['read']) => issue(token, accountId, scopes),
    /** Issues an app's own token. */
    issueToApp: (token: string) => issue(token, null, ['read']),
    idOf: async (token: string) => (await checked.check(innerCall(), { digests: [digestOf(token)] })).holders[0]!.tokenId,
    revoke: (token: string) => change('update auth.access_token set revoked_at = now() where digest = $1', digestOf(token)),
    /** Deletes the token. */
    forget: (token: string) => change('delete from auth.access_token where digest = $1', digestOf(token)),
    login: (accountId: string, state: keyof typeof LOGIN_STATES) =>
      change(`update auth.login set ${LOGIN_STATES[state]} where account_id = $1`, accountId),
    /** Blocks these networks, and no others. */
    async bar(...networks: string[]) {
      await change('delete from auth.ip_block')
      await change(
        `insert into auth.ip_block (network, severity, created_at) select network::cidr, 'no_access', now() from unnest($1::text[]) network`,
        networks,
      )
    },
  }
}

type Said = { id: string; authorId: string; content?: string }

/** People and their posts, conversations and lists. */
const viewsOf = (change: Change, statuses: ReturnType<typeof openStatuses>) => {
  const views = statuses.linked(ViewsDefinition)
  const graph = statuses.linked(GraphDefinition)
  const filters = statuses.linked(FiltersDefinition)
  const interactions = statuses.linked(InteractionsDefinition)
  const gates = new Map<string, Promise<void>>()
  statuses.before = (name, request) => (name === 'readForViewers' ? gates.get((request as { statusId: string }).statusId) : undefined)
  return {
    /** The faults of the connection to statuses, and the calls made over it. */
    connection: statuses,
    views: statuses.connected(ViewsDefinition),
    graph: statuses.connected(GraphDefinition),
    conversations: statuses.connected(ConversationsDefinition),
    lists: statuses.connected(ListsDefinition),
    /** Inserts a public post with a given id. */
    async say({ id, authorId, content = '<p>tea</p>' }: Said) {
      await change(
        `insert into statuses.status_head (id, author_id, visibility, thread_id, is_listed, is_reply_to_other, has_media)
           values ($1, $2, ${Visibility.PUBLIC}, $1, true, false, false)`,
        id,
        authorId,
      )
      await change(
        `insert into statuses.status (id, author_id, text, spoiler_text, sensitive, content, created_at)
           values ($1, $2, 'tea', '', false, $3, '2020-01-01')`,
        id,
        authorId,
        content,
      )
    },
    /** Deletes a status. */
    forget: (id: string) => change('delete from statuses.status_head where id = $1', id),
    favourite: (viewerId: string, statusId: string) => interactions.favourite(innerCall(), { viewerId, statusId, withoutPage: true }),
    bookmark: (viewerId: string, statusId: string) => interactions.bookmark(innerCall(), { viewerId, statusId, withoutPage: true }),
    /** Makes one account block another. */
    block: (viewerId: string, accountId: string) => graph.block(innerCall(), { viewerId, accountId }),
    /** Creates a filter of a viewer that matches every post. */
    filter: (accountId: string, title: string) =>
      filters.create(innerCall(), {
        ...{ accountId, title, contexts: ['home', 'public'], action: 'warn' },
        keywords: [{ keyword: 'tea', wholeWord: false }],
      }),
    /** Inserts a list of a person. */
    keepList: (id: string, ownerId: string) =>
      change(
        `insert into statuses.list (id, account_id, title, replies_policy, is_exclusive, created_at) overriding system value
           values ($1, $2, 'birds', 'list', false, now())`,
        id,
        ownerId,
      ),
    /** Inserts a conversation of two people. */
    async converse(of: { id: string; ownerId: string; otherId: string; lastStatusId: string; isUnread: boolean }) {
      await change(
        `insert into statuses.conversation (id, owner_id, thread_id, participants, last_status_id, is_unread) overriding system value
           values ($1, $2, $3::bigint + $1::bigint, array(select unnest($4::bigint[]) id order by id), $3, $5)`,
        of.id,
        of.ownerId,
        of.lastStatusId,
        [of.ownerId, of.otherId],
        of.isUnread,
      )
      await change(
        'insert into statuses.conversation_status (conversation_id, status_id) select $1, id from statuses.status_head where id = $2',
        of.id,
        of.lastStatusId,
      )
    },
    /** Delays answers about a status until the gate opens. */
    hold: (id: string) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      gates.set(id, promise)
      return resolve
    },
    /** A status for one viewer, or without a viewer. */
    async page(id: string, viewerId?: string): Promise<StatusPage> {
      if (viewerId) return views.readStatuses(innerCall(), { ids: [id], viewerId })
      return (await views.readForViewers(innerCall(), { statusId: id, viewerIds: [], listenerIds: [] })).page!
    },
    accounts: (ids: string[]): Promise<AccountPage> => views.readAccounts(innerCall(), { ids }),
  }
}

/** Auth and statuses, on a database with people in it, and streaming's connections to them. */
export const openOthers = async () => {
  const postgres = startTestPostgres()
  const own = await postgres.createDatabase(
    await postgres.templateDatabase('streaming beside auth and statuses', (database) => migrateServices(database, SCHEMAS, SEED)),
  )
  const administrator = new pg.Client({ connectionString: own.url('postgres') })
  await administrator.connect()
  const change: Change = async (text, ...values) => void (await administrator.query(text, values))
  const statuses = openStatuses({ url: own.url(statusesSchema.name), clock: systemClock })
  const auth = openAuth({ url: own.url(authSchema.name), clock: systemClock, statuses: statusesClients(statuses.linked) })
  return {
    tokens: tokensOf(change, auth),
    views: viewsOf(change, statuses),
    async close() {
      await auth.close()
      await statuses.close()
      await administrator.end()
      await own.drop()
    },
  }
}
