import { type TokenHolder, TokenState } from '@rookery/contracts/auth'
import { Failure, notFound } from '@rookery/failures'
import { nameRoute, parseForm, stateOf, type Values } from '@rookery/http'
import type { RouteLimits } from '@rookery/http/limits'
import type { Request, Response } from 'express'
import { tokenOf } from '../tokens.ts'
import { admit, type Restriction } from './access.ts'
import type { Endpoint } from './endpoint.ts'
import { createRouter, type Match } from './router.ts'

/** An admitted request: its endpoint, path parameters, query and caller. */
export type Asked = Match & { query: Values; token: string | undefined; holder: TokenHolder | undefined }

export type AdmissionDeps = {
  endpoints: readonly Endpoint[]
  checkToken: (token: string) => Promise<TokenHolder | undefined>
  limits: RouteLimits
}

const splitUrl = (url: string) => {
  const mark = url.indexOf('?')
  return mark < 0 ? { path: url, search: '' } : { path: url.slice(0, mark), search: url.slice(mark + 1) }
}

/** Admits requests, by their headers and, once the body has come, again. */
type Admission = {
  /** Finds the endpoint and the caller of a request, and checks access. @throws Failure as `admit`, not_found, malformed; LimitExceeded */
  admit(request: Request, response: Response): Promise<Asked>
  /** Checks the caller of an admitted request again: while its body came, the token may have been revoked. @throws Failure as `admit` */
  admitAgain(asked: Asked): Promise<Asked>
}

export const createAdmission = ({ endpoints, checkToken, limits }: AdmissionDeps, restrictions: ReadonlySet<Restriction>): Admission => {
  const find = createRouter(endpoints)

  /** Counts every request by its address and account, before access is checked: guessing tokens counts like anything else. */
  const count = async (request: Request, response: Response, { match, holder }: { match?: Match; holder?: TokenHolder | undefined }) => {
    stateOf(response).accountId = holder?.accountId ?? ''
    const isBad = holder !== undefined && holder.state !== TokenState.VALID
    await limits.countIn(
      ['address', 'account', ...(match?.endpoint.limits ?? []), ...(isBad ? ['tokens' as const] : [])],
      request,
      response,
    )
  }

  /** A malformed query counts like any other request. */
  const queryOf = async (search: string, refused: () => Promise<void>) => {
    try {
      return parseForm(search)
    } catch (error) {
      await refused()
      throw error
    }
  }

  const holderOf = async (token: string | undefined) => (token === undefined ? undefined : await checkToken(token))

  const admitFirst = async (request: Request, response: Response): Promise<Asked> => {
    const { path, search } = splitUrl(request.url)
    const match = find(request.method, path)
    if (typeof match !== 'object') {
      await count(request, response, {})
      throw match ? notFound(`no id in ${path}`) : new Failure('not_found', 'Not Found')
    }
    nameRoute(request, match.endpoint.path)
    const query = await queryOf(search, () => count(request, response, { match }))
    const token = tokenOf(request.headers.authorization, query['access_token'])
    const holder = await holderOf(token)
    await count(request, response, { match, holder })
    admit(match.endpoint.access, holder, restrictions)
    return { ...match, query, token, holder }
  }

  return {
    admit: admitFirst,
    async admitAgain(asked) {
      const holder = await holderOf(asked.token)
      admit(asked.endpoint.access, holder, restrictions)
      return { ...asked, holder }
    },
  }
}
