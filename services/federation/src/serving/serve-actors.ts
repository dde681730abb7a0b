import type { RequestListener } from 'node:http'
import type { RateCounter } from '@rookery/ephemeral'
import { Failure, notFound } from '@rookery/failures'
import { ACTIVITY_JSON, createEdge, jsonErrors, readBytes, wantsPage } from '@rookery/http'
import { createRateLimiter, LimitExceeded, type RateLimiter, retryAfterSeconds } from '@rookery/http/limits'
import type { Clock, LimitConfig, Logger } from '@rookery/runtime'
import { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from 'express'
import type { KeyOwners } from '../actors/index.ts'
import type { ActorAddresses } from '../addresses.ts'
import type { CollectionRequest, Documents, JsonObject, RemoteActor } from '../contract.ts'
import { hostOf } from '../host.rules.ts'
import { type InboxCounts, type InboxRequest, type Reception, signatureOf, signerOf, unsigned } from '../inbox/index.ts'
import type { MaySpeak } from '../policy/index.ts'

export type ServeDeps = {
  documents: Documents
  receive(request: InboxRequest): Promise<Reception>
  actors: KeyOwners
  addresses: ActorAddresses
  maySpeak: MaySpeak
  limits: RateLimiter
  counts: InboxCounts
  clock: Clock
  log: Pick<Logger, 'debug' | 'warn' | 'error'>
  config: LimitConfig & { baseUrl: string; authorizedFetch: boolean }
}

const MAX_BYTES = 1024 * 1024
const OPEN = 'public, max-age=180'
const CLOSED = 'private, no-store'
/** What other servers send when they deliver. */
const BODY_TYPES = new Set(['application/activity+json', 'application/ld+json', 'application/json'])

const KINDS: Record<string, CollectionRequest['kind']> = {
  outbox: 'outbox',
  followers: 'followers',
  following: 'following',
  'collections/featured': 'featured',
  'collections/tags': 'featuredTags',
}

/** What may be a username; others name no one, and nothing is asked for them. */
const USERNAME = /^[\w.-]{1,128}$/

const nameOf = (request: Request) => String(request.params['name'])

const queryValue = (request: Request, name: string): string => {
  const mark = request.originalUrl.indexOf('?')
  return mark < 0 ? '' : (new URLSearchParams(request.originalUrl.slice(mark + 1)).get(name) ?? '')
}

/** Says when to ask again (RFC 9110, 10.2.3): servers wait for that long. */
const sayWhen: ErrorRequestHandler = (error, _request, response, next) => {
  if (error instanceof LimitExceeded && !response.headersSent) response.setHeader('Retry-After', String(error.retryAfterSeconds))
  next(error)
}

const isSigned = ({ headers }: Request): boolean => headers['signature'] !== undefined

/**
 * What other servers ask of this one: inboxes, actors, collections, statuses. It says nothing of what is private: what may not be seen is
 * missing. Where fetches must be authorised, only the server's own actor is shown to who does not sign.
 */
export const serveActors = (deps: ServeDeps): RequestListener => {
  const { documents, actors, addresses, maySpeak, limits, counts, clock, config } = deps
  const own = new URL(config.baseUrl)

  const messageOf = (request: Request) => ({
    method: request.method === 'HEAD' ? 'HEAD' : 'GET',
    url: own,
    target: request.originalUrl,
    headers: request.headers,
  })

  /** Who signed a request. Undefined where no one did, or not rightly, unless that is needed. @throws Failure unauthenticated, forbidden */
  const signerOfRequest = async (
    request: Request,
    response: Response,
    isNeeded: boolean = config.authorizedFetch,
  ): Promise<RemoteActor | undefined> => {
    if (!isSigned(request)) {
      if (isNeeded) throw unsigned('fetches must be signed')
      return undefined
    }
    await limits.refuseBeyond('signatures', request, response)
    try {
      const signature = signatureOf(messageOf(request), clock.now())
      const host = hostOf(signature.keyId)
      if (!host || !(await maySpeak(host))) throw new Failure('forbidden', 'Forbidden', { cause: 'a server that is not spoken with' })
      return await signerOf(actors, signature)
    } catch (error) {
      if (!(error instanceof Failure) || error.kind !== 'unauthenticated') throw error
      await limits.countIn('signatures', request, response)
      if (isNeeded) throw error
      return undefined
    }
  }

  /** Who asks: the account of who signed, or none. */
  const askerOf = async (request: Request, response: Response): Promise<string> =>
    (await signerOfRequest(request, response))?.accountId ?? ''

  /** Followers are shown by host, to actors of that host alone. */
  const followersAt: RequestHandler = async (request, response) => {
    const signer = USERNAME.test(nameOf(request)) ? await signerOfRequest(request, response, true) : undefined
    const document = signer && (await documents.renderFollowersAt({ username: nameOf(request), host: signer.domain }))
    if (!document) throw notFound('no such actor')
    answer(response, document, CLOSED)
  }

  const answer = (response: Response, document: JsonObject, caching: string): void => {
    const body = Buffer.from(JSON.stringify(document))
    const headers = { 'Content-Type': ACTIVITY_JSON, 'Content-Length': body.length, 'Cache-Control': caching, Vary: 'Accept, Signature' }
    response.writeHead(200, headers)
    response.end(body)
  }

  type Shown = {
    pageOf: (request: Request) => string
    /** Whether it depends on who asks. Else no key is fetched to learn who that is, unless all fetches must be authorised. */
    isPersonal: boolean
    render: (request: Request, askerId: string) => Promise<JsonObject | undefined>
  }

  /** Answers with a document, or leads browsers to its page. */
  const show =
    ({ pageOf, isPersonal, render }: Shown): RequestHandler =>
    async (request, response) => {
      if (!USERNAME.test(nameOf(request))) throw notFound('no username')
      if (wantsPage(request.headers.accept)) {
        response.writeHead(302, { Location: pageOf(request), Vary: 'Accept, Signature', 'Cache-Control': OPEN })
        return void response.end()
      }
      const askerId = isPersonal || config.authorizedFetch ? await askerOf(request, response) : ''
      const document = await render(request, askerId)
      if (!document) throw notFound('no such actor or object, or not for who asks')
      answer(response, document, askerId || config.authorizedFetch ? CLOSED : OPEN)
    }

  const idOf = (request: Request) => String(request.params['id'])
  const profile = (request: Request) => addresses.profile(encodeURIComponent(nameOf(request)))
  const page = (request: Request) => addresses.status(encodeURIComponent(nameOf(request)), encodeURIComponent(idOf(request)))

  const collection = (kind: CollectionRequest['kind']) =>
    show({
      pageOf: profile,
      isPersonal: false,
      render: async (request) => {
        const isPage = queryValue(request, 'page') !== ''
        const maxId = queryValue(request, 'max_id')
        return /^\d{0,20}$/.test(maxId) ? documents.renderCollection({ username: nameOf(request), kind, isPage, maxId }) : undefined
      },
    })

  type Render = (request: { username: string; id: string; askerId: string; isPage: boolean }) => Promise<JsonObject | undefined>
  const status = (render: Render) =>
    show({
      pageOf: page,
      isPersonal: true,
      render: async (request, askerId) =>
        /^\d{1,20}$/.test(idOf(request))
          ? render({ username: nameOf(request), id: idOf(request), askerId, isPage: queryValue(request, 'page') !== '' })
          : undefined,
    })

  const quoteAuthorization = show({
    pageOf: profile,
    isPersonal: false,
    render: async (request) =>
      /^\d{1,20}$/.test(idOf(request)) ? documents.renderQuoteAuthorization({ username: nameOf(request), id: idOf(request) }) : undefined,
  })

  const countFailure = async (error: unknown, request: Request, response: Response): Promise<void> => {
    if (!(error instanceof Failure)) return
    if (error.kind === 'unauthenticated') counts.unsigned++
    if (error.kind === 'malformed') counts.malformed++
    if (error.kind === 'forbidden') counts.forbidden++
    await limits.countIn(error.kind === 'unauthenticated' ? 'signatures' : 'signedRequests', request, response)
  }

  const inbox: RequestHandler = async (request, response) => {
    try {
      await limits.refuseBeyond('signatures', request, response)
      await limits.refuseBeyond('signedRequests', request, response)
      const [essence = ''] = (request.headers['content-type'] ?? '').toLowerCase().split(';', 1)
      if (!BODY_TYPES.has(essence.trim())) throw new Failure('malformed', 'The content type is not understood')
      const body = await readBytes(request, MAX_BYTES)
      const inboxOf = typeof request.params['name'] === 'string' ? request.params['name'] : ''
      const reception = await deps.receive({ target: request.originalUrl, headers: request.headers, body, inboxOf })
      if (reception === 'ignored') await limits.countIn('signedRequests', request, response)
    } catch (error) {
      if (error instanceof LimitExceeded) counts.limited++
      else await countFailure(error, request, response)
      throw error
    }
    response.writeHead(202, { 'Content-Length': 0 })
    response.end()
  }

  const countAddress = limits.on('address')
  const countSigned = limits.on('signedRequests')
  /** Activities of other servers are counted by their signatures and hosts. */
  const countUnsigned: RequestHandler = (request, response, next) => (isSigned(request) ? next() : countAddress(request, response, next))
  /** Other servers sign what they ask, and may ask more than others from one address; that it is signed, anyone can say. */
  const countAsked: RequestHandler = (request, response, next) => (isSigned(request) ? countSigned : countAddress)(request, response, next)

  const router = Router()
    .post(['/inbox', '/actor/inbox', '/users/:name/inbox'], countUnsigned, inbox)
    .use(countAsked)
    .get('/actor', async (_request, response) => {
      answer(response, await documents.renderServerActor(), OPEN)
    })
    .get('/users/:name', show({ pageOf: profile, isPersonal: false, render: (request) => documents.renderActor(nameOf(request)) }))
    .get('/users/:name/statuses/:id', status(documents.renderStatus))
    .get('/users/:name/statuses/:id/activity', status(documents.renderActivity))
    .get('/users/:name/statuses/:id/replies', status(documents.renderReplies))
    .get(
      '/users/:name/statuses/:id/likes',
      status((request) => documents.renderCounts({ ...request, kind: 'likes' })),
    )
    .get(
      '/users/:name/statuses/:id/shares',
      status((request) => documents.renderCounts({ ...request, kind: 'shares' })),
    )
    .get('/users/:name/followers_synchronization', followersAt)
    .get('/users/:name/quote_authorizations/:id', quoteAuthorization)
  for (const [path, kind] of Object.entries(KINDS)) router.get(`/users/:name/${path}`, collection(kind))
  const errors = [sayWhen, jsonErrors(deps.log)]
  return createEdge({ log: deps.log, trustedProxies: config.trustedProxies, routes: [router], errors }).answer
}

/** The limits of requests of other servers. */
export const federationLimits = (given: { rates: RateCounter; clock: Clock; config: LimitConfig }) =>
  createRateLimiter({ rates: given.rates, now: given.clock.now, isOn: given.config.hasRateLimits })

/** Counts an activity of a host, or with an amount of 0 only looks. @throws LimitExceeded */
export const countHost =
  ({ limits, clock }: { limits: RateLimiter; clock: Clock }) =>
  async (host: string, amount: 0 | 1): Promise<void> => {
    const status = await limits.count([{ limit: 'inbox', by: host, amount }])
    if (status?.isExceeded) throw new LimitExceeded(retryAfterSeconds(status, clock.now()))
  }
