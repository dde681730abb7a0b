import { type Database, transact } from '@rookery/database'
import type { Clock } from '@rookery/runtime'
import type { Adapter, AdapterPayload } from 'oidc-provider'
import type { AuthTables } from '../../database/schema.ts'
import { digestOf } from '../../secrets.ts'
import type { Apps } from '../apps/index.ts'
import { type Artifact, ArtifactReader, ArtifactWriter } from './artifact.store.ts'
import { allowedScopes } from './scopes.ts'

type Deps = { database: Database<AuthTables>; clock: Clock; apps: Apps }

const nothing = async () => {}

/** Apps, as the provider wants to know them. It compares the digest of the secret, since that is all there is. */
const appAdapter = ({ apps }: Deps): Adapter => ({
  async find(clientId) {
    const app = await apps.findByClientId(clientId)
    if (!app) return undefined
    return {
      client_id: app.clientId,
      client_secret: app.secretDigest.toString('hex'),
      client_name: app.name,
      redirect_uris: app.redirectUris,
      grant_types: ['authorization_code', 'client_credentials'],
      response_types: ['code'],
      token_endpoint_auth_method: 'client_secret_post',
      scope: allowedScopes(app.scopes).join(' '),
    }
  },
  upsert: nothing,
  findByUid: nothing,
  findByUserCode: nothing,
  consume: nothing,
  destroy: nothing,
  revokeByGrantId: nothing,
})

/** A payload without the id it is found by; an interaction also without its session's, which it never uses. */
const withoutIds = ({ jti: _, ...payload }: AdapterPayload): Record<string, unknown> => {
  if (!payload.session) return payload
  const { cookie: _cookie, ...session } = payload.session as { cookie?: string }
  return { ...payload, session }
}

/** Whose an artifact is: of a session, code or approval it says so; of an interaction, whoever just signed in there or was before. */
const accountOf = ({ accountId, result, session }: AdapterPayload): string | undefined =>
  accountId ?? (result as { login?: { accountId?: string } } | undefined)?.login?.accountId ?? session?.accountId

const payloadOf = (artifact: Artifact | undefined, id: string | undefined): AdapterPayload | undefined => {
  if (!artifact) return undefined
  const consumed = artifact.consumedAt ? { consumed: Math.floor(artifact.consumedAt.getTime() / 1000) } : {}
  return { ...artifact.payload, ...consumed, ...(id === undefined ? {} : { jti: id }) }
}

/** Whether an artifact is of no person: a session before anybody signed in, or the wish that somebody does. */
const isAnonymous = (model: string, { accountId, prompt }: AdapterPayload): boolean =>
  (model === 'Session' && accountId === undefined) || (model === 'Interaction' && prompt?.name === 'login')

/** How long an approval can still be answered after it was: a browser may send its form twice. */
const ANSWERED_MILLISECONDS = 60_000

/** Sessions, interactions, codes and grants. Whoever did not sign in leaves nothing behind. */
const artifactAdapter = ({ database, clock }: Deps, model: string): Adapter => {
  const reader = new ArtifactReader(database.db)
  const now = () => new Date(clock.now())
  const write = <Result>(work: (writer: ArtifactWriter) => Promise<Result>) => transact(database.db, (tx) => work(new ArtifactWriter(tx)))
  return {
    upsert: async (id, payload, seconds = 0) => {
      if (isAnonymous(model, payload)) return
      await write((writer) =>
        writer.put({
          model,
          digest: digestOf(id),
          payload: withoutIds(payload),
          grantId: payload.grantId,
          uid: payload.uid,
          accountId: accountOf(payload),
          expiresAt: new Date(clock.now() + seconds * 1000),
        }),
      )
    },
    find: async (id) => payloadOf(await reader.find(model, digestOf(id), now()), id),
    findByUid: async (uid) => payloadOf(await reader.findByUid(model, uid, now()), undefined),
    findByUserCode: nothing,
    consume: nothing,
    destroy: (id) =>
      write((writer) =>
        model === 'Interaction'
          ? writer.endAt(model, digestOf(id), new Date(clock.now() + ANSWERED_MILLISECONDS))
          : writer.remove(model, digestOf(id)),
      ),
    revokeByGrantId: (grantId) => write((writer) => writer.removeByGrant(model, grantId)),
  }
}

/** Where the provider keeps each of its models. Codes are exchanged without it (exchange-code.ts), so it makes no tokens. */
export const providerAdapter =
  (deps: Deps) =>
  (model: string): Adapter => {
    if (model === 'Client') return appAdapter(deps)
    return artifactAdapter(deps, model)
  }
