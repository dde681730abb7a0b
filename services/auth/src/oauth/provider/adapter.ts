import { type Database, transact } from '@rookery/database'
import type { Clock } from '@rookery/runtime'
import type { Adapter, AdapterPayload } from 'oidc-provider'
import type { AuthTables } from '../../database/schema.ts'
import { digestOf } from '../../secrets.ts'
import type { Apps } from '../apps/index.ts'
import { allowedScopes } from '../grants/index.ts'
import { ArtifactReader, ArtifactWriter, SESSION } from './artifact.store.ts'

export type AdapterDeps = { database: Database<AuthTables>; clock: Clock; apps: Apps }

const noop = async () => {}
/** Methods that no enabled feature calls. */
const UNUSED = { findByUserCode: noop, consume: noop, revokeByGrantId: noop }

/** Apps as clients. The client secret is only a placeholder, since oidc-provider does not serve the token endpoint. */
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

/** A payload without its id, of which only the digest is stored; for an interaction also without the session's id. */
const withoutIds = ({ jti: _, ...payload }: AdapterPayload): Record<string, unknown> => {
  if (!payload.session) return payload
  const { cookie: _cookie, ...session } = payload.session as { cookie?: string }
  return { ...payload, session }
}

/** A session without a sign-in, or an interaction that asks for sign-in; neither is stored. */
const isAnonymous = (model: string, { accountId, prompt }: AdapterPayload): boolean =>
  (model === SESSION && accountId === undefined) || (model === 'Interaction' && prompt?.name === 'login')

/** How long an answered approval may be answered again, in milliseconds: a browser may send its form twice. */
const ANSWERED_MILLISECONDS = 60_000

/** As oidc-provider says that a session has ended. */
const sessionNotFound = () => Object.assign(new Error('the session has ended'), { name: 'SessionNotFound', statusCode: 400, expose: true })

/**
 * Stores sessions, interactions, codes and grants. A session is begun elsewhere (sessions.ts), and only while it stands it is refreshed and codes are
 * written within it: it may end while a request that has read it is under way.
 */
const artifactAdapter = ({ database, clock }: AdapterDeps, model: string): Adapter => {
  const reader = new ArtifactReader(database.db)
  const now = () => new Date(clock.now())
  const write = <Result>(work: (writer: ArtifactWriter) => Promise<Result>) => transact(database.db, (tx) => work(new ArtifactWriter(tx)))
  return {
    ...UNUSED,
    upsert: async (id, payload, seconds = 0) => {
      if (isAnonymous(model, payload)) return
      const { grantId, uid, accountId = payload.session?.accountId } = payload
      const artifact = {
        model,
        digest: digestOf(id),
        payload: withoutIds(payload),
        grantId,
        uid,
        accountId,
        expiresAt: new Date(clock.now() + seconds * 1000),
      }
      if (model === SESSION) return write((writer) => writer.refresh(artifact))
      const { sessionUid } = payload
      await write(async (writer) => {
        if (sessionUid !== undefined && !(await writer.holdSession(sessionUid))) throw sessionNotFound()
        await writer.put(artifact)
      })
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

/** The storage adapter of each model of oidc-provider. */
export const providerAdapter =
  (deps: AdapterDeps) =>
  (model: string): Adapter =>
    model === 'Client' ? appAdapter(deps) : artifactAdapter(deps, model)
