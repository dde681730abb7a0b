import { type Database, transact } from '@rookery/database'
import type { Clock } from '@rookery/runtime'
import type { Adapter, AdapterPayload } from 'oidc-provider'
import type { AuthTables } from '../../database/schema.ts'
import { digestOf } from '../../secrets.ts'
import type { Apps } from '../apps/index.ts'
import { allowedScopes } from '../grants/index.ts'
import { ArtifactReader, ArtifactWriter } from './artifact.store.ts'

export type AdapterDeps = { database: Database<AuthTables>; clock: Clock; apps: Apps }

const noop = async () => {}
/** Calls of the adapter that no route in use makes. */
const UNUSED = { findByUserCode: noop, consume: noop, revokeByGrantId: noop }

/** Apps as clients of the provider, which never sees their secrets: it is not asked for tokens. */
const appAdapter = ({ apps }: AdapterDeps): Adapter => ({
  ...UNUSED,
  async find(clientId) {
    const app = await apps.findByClientId(clientId)
    return (
      app && {
        client_id: app.clientId,
        client_secret: app.secretDigest.toString('hex'),
        redirect_uris: app.redirectUris,
        token_endpoint_auth_method: 'client_secret_post',
        scope: allowedScopes(app.scopes).join(' '),
      }
    )
  },
  upsert: noop,
  findByUid: noop,
  destroy: noop,
})

/** A payload without its id, of which only the digest is stored; an interaction also without its session's. */
const withoutIds = ({ jti: _, ...payload }: AdapterPayload): Record<string, unknown> => {
  if (!payload.session) return payload
  const { cookie: _cookie, ...session } = payload.session as { cookie?: string }
  return { ...payload, session }
}

/** A session before anyone signed in, or an interaction that asks for sign-in. Neither is stored. */
const isAnonymous = (model: string, { accountId, prompt }: AdapterPayload): boolean =>
  (model === 'Session' && accountId === undefined) || (model === 'Interaction' && prompt?.name === 'login')

/** How long an approval can be answered again: a browser may send its form twice. */
const ANSWERED_MILLISECONDS = 60_000

/** Sessions, interactions, codes and grants. */
const artifactAdapter = ({ database, clock }: AdapterDeps, model: string): Adapter => {
  const reader = new ArtifactReader(database.db)
  const now = () => new Date(clock.now())
  const write = <Result>(work: (writer: ArtifactWriter) => Promise<Result>) => transact(database.db, (tx) => work(new ArtifactWriter(tx)))
  return {
    ...UNUSED,
    upsert: async (id, payload, seconds = 0) => {
      if (isAnonymous(model, payload)) return
      const { grantId, uid, accountId = payload.session?.accountId } = payload
      const expiresAt = new Date(clock.now() + seconds * 1000)
      await write((writer) => writer.put({ model, digest: digestOf(id), payload: withoutIds(payload), grantId, uid, accountId, expiresAt }))
    },
    find: async (id) => {
      const payload = await reader.find(model, digestOf(id), now())
      return payload && { ...payload, jti: id }
    },
    findByUid: (uid) => reader.findByUid(model, uid, now()),
    destroy: (id) =>
      write((writer) =>
        model === 'Interaction'
          ? writer.endAt(model, digestOf(id), new Date(clock.now() + ANSWERED_MILLISECONDS))
          : writer.remove(model, digestOf(id)),
      ),
  }
}

/** Where the provider stores each of its models. */
export const providerAdapter =
  (deps: AdapterDeps) =>
  (model: string): Adapter =>
    model === 'Client' ? appAdapter(deps) : artifactAdapter(deps, model)
