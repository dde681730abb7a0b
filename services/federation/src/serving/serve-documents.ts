import { notFound } from '@rookery/failures'
import { ACTIVITY_JSON, wantsPage } from '@rookery/http'
import { type Request, type RequestHandler, type RequestParamHandler, type Response, Router } from 'express'
import type { ActorAddresses } from '../addresses.ts'
import type { Actors, CollectionRequest, Documents, JsonObject } from '../contract.ts'
import { type RequestSignerDeps, requestSigner } from './request-signer.ts'

export type ServeDocumentsDeps = RequestSignerDeps & {
  actors: Pick<Actors, 'isSuspended'>
  documents: Documents
  addresses: ActorAddresses
  config: { baseUrl: string; authorizedFetch: boolean }
}

const OPEN = 'public, max-age=180'
const CLOSED = 'private, no-store'
const VARY = 'Accept, Signature'

const COLLECTIONS: Readonly<Record<string, CollectionRequest['kind']>> = {
  outbox: 'outbox',
  followers: 'followers',
  following: 'following',
  'collections/featured': 'featured',
  'collections/tags': 'featuredTags',
}

/** The form of a username: any other name is refused before any call. */
const USERNAME = /^[\w.-]{1,128}$/
const ID = /^\d{1,20}$/
const ID_OR_NONE = /^\d{0,20}$/

/** Refuses malformed usernames first. */
const checkName: RequestParamHandler = (_request, _response, next, name) => next(USERNAME.test(name) ? undefined : notFound('no username'))

const nameOf = (request: Request) => String(request.params['name'])
const idOf = (request: Request) => String(request.params['id'])

const queryValue = (request: Request, name: string): string => {
  const mark = request.originalUrl.indexOf('?')
  return mark < 0 ? '' : (new URLSearchParams(request.originalUrl.slice(mark + 1)).get(name) ?? '')
}

const answer = (response: Response, document: JsonObject, caching: string): void => {
  const body = Buffer.from(JSON.stringify(document))
  response.writeHead(200, { 'Content-Type': ACTIVITY_JSON, 'Content-Length': body.length, 'Cache-Control': caching, Vary: VARY })
  response.end(body)
}

type Shown = {
  pageOf: (request: Request) => string
  /** Whether it depends on the asker. If not, the signature is not checked, unless AUTHORIZED_FETCH requires one. */
  isPersonal: boolean
  render: (request: Request, askerId: string) => Promise<JsonObject | undefined>
}

/** The account id of the asker; empty if the document is not personal, and for an unknown or suspended asker. */
const askerOf =
  ({ required, optional }: ReturnType<typeof requestSigner>, { actors, config: { authorizedFetch } }: ServeDocumentsDeps) =>
  async (request: Request, response: Response, isPersonal: boolean): Promise<string> => {
    const signer = authorizedFetch ? required : optional
    const asker = authorizedFetch || isPersonal ? await signer(request, response) : undefined
    return isPersonal && asker?.accountId && !(await actors.isSuspended(asker)) ? asker.accountId : ''
  }

/** Answers with a document, or redirects browsers to its page. */
const showTo =
  (asker: ReturnType<typeof askerOf>, { authorizedFetch }: { authorizedFetch: boolean }) =>
  ({ pageOf, isPersonal, render }: Shown): RequestHandler =>
  async (request, response) => {
    if (wantsPage(request.headers.accept)) {
      response.writeHead(302, { Location: pageOf(request), Vary: VARY, 'Cache-Control': OPEN })
      return void response.end()
    }
    const askerId = await asker(request, response, isPersonal)
    const document = await render(request, askerId)
    if (!document) throw notFound('no such actor or object, or not for who asks')
    answer(response, document, askerId || authorizedFetch ? CLOSED : OPEN)
  }

type RenderStatus = (request: { username: string; id: string; askerId: string; isPage: boolean }) => Promise<JsonObject | undefined>

/** The renderers of a status and its collections, by the suffix of the path. */
const statusRenderers = (documents: Documents): Readonly<Record<string, RenderStatus>> => ({
  '': documents.renderStatus,
  '/activity': documents.renderActivity,
  '/replies': documents.renderReplies,
  '/likes': (request) => documents.renderCounts({ ...request, kind: 'likes' }),
  '/shares': (request) => documents.renderCounts({ ...request, kind: 'shares' }),
})

/** The routes of ActivityPub documents. Answers 404 for a document that the asker may not see. */
export const serveDocuments = (deps: ServeDocumentsDeps): Router => {
  const { documents, addresses, config } = deps
  const signer = requestSigner(deps)
  const show = showTo(askerOf(signer, deps), config)
  const profile = (request: Request) => addresses.profile(encodeURIComponent(nameOf(request)))
  const page = (request: Request) => addresses.status(encodeURIComponent(nameOf(request)), encodeURIComponent(idOf(request)))
  const ofPerson = (render: Shown['render']) => show({ pageOf: profile, isPersonal: false, render })

  const router = Router()
    .param('name', checkName)
    .get('/actor', async (_request, response) => answer(response, await documents.renderServerActor(), OPEN))
    .get('/actor/outbox', (_request, response) => answer(response, documents.renderServerOutbox(), OPEN))
    .get(
      '/users/:name',
      ofPerson((request) => documents.renderActor(nameOf(request))),
    )
    .get('/users/:name/followers_synchronization', followersAt(documents, signer))
    .get(
      '/users/:name/quote_authorizations/:id',
      ofPerson(async (request) =>
        ID.test(idOf(request)) ? documents.renderQuoteAuthorization({ username: nameOf(request), id: idOf(request) }) : undefined,
      ),
    )
  for (const [path, kind] of Object.entries(COLLECTIONS)) {
    router.get(`/users/:name/${path}`, show({ pageOf: profile, isPersonal: kind === 'outbox', render: collection(documents, kind) }))
  }
  for (const [path, render] of Object.entries(statusRenderers(documents))) {
    router.get(`/users/:name/statuses/:id${path}`, show({ pageOf: page, isPersonal: true, render: ofStatus(render) }))
  }
  return router
}

const collection =
  (documents: Documents, kind: CollectionRequest['kind']): Shown['render'] =>
  async (request, askerId) => {
    const maxId = queryValue(request, 'max_id')
    const isPage = queryValue(request, 'page') !== ''
    return ID_OR_NONE.test(maxId) ? documents.renderCollection({ username: nameOf(request), kind, isPage, maxId, askerId }) : undefined
  }

const ofStatus =
  (render: RenderStatus): Shown['render'] =>
  async (request, askerId) => {
    const isPage = queryValue(request, 'page') !== ''
    return ID.test(idOf(request)) ? render({ username: nameOf(request), id: idOf(request), askerId, isPage }) : undefined
  }

/** Serves the followers on a host, to actors of that host only. */
const followersAt =
  (documents: Documents, { required }: ReturnType<typeof requestSigner>): RequestHandler =>
  async (request, response) => {
    const { domain } = await required(request, response)
    const document = await documents.renderFollowersAt({ username: nameOf(request), host: domain })
    if (!document) throw notFound('no such actor')
    answer(response, document, CLOSED)
  }
