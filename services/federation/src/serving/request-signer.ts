import { Failure } from '@rookery/failures'
import type { RateLimiter } from '@rookery/http/limits'
import type { Clock } from '@rookery/runtime'
import type { Request, Response } from 'express'
import type { Signers } from '../actors/index.ts'
import type { RemoteActor } from '../contract.ts'
import { hostOf } from '../host.rules.ts'
import { signatureOf, signerOf, unsigned } from '../inbox/index.ts'
import type { MaySpeak } from '../policy/index.ts'

export type RequestSignerDeps = {
  actors: Signers
  maySpeak: MaySpeak
  limits: RateLimiter
  clock: Clock
  config: { baseUrl: string }
}

/** Whether a request claims to be signed. */
export const isSigned = ({ headers }: Request): boolean => headers['signature'] !== undefined

const isUnauthenticated = (error: unknown): boolean => error instanceof Failure && error.kind === 'unauthenticated'

/** Verifies the signers of fetches, and limits failed verifications per address. */
export const requestSigner = ({ actors, maySpeak, limits, clock, config }: RequestSignerDeps) => {
  const url = new URL(config.baseUrl)

  const verify = async ({ method, originalUrl, headers }: Request): Promise<RemoteActor> => {
    const message = { method: method === 'HEAD' ? 'HEAD' : 'GET', url, target: originalUrl, headers } as const
    const signature = signatureOf(message, clock.now())
    const host = hostOf(signature.keyId)
    if (!host || !(await maySpeak(host))) throw new Failure('forbidden', 'Forbidden', { cause: 'a server that is not spoken with' })
    return signerOf(actors, signature)
  }

  /** The signer of a request that must be signed. @throws Failure unauthenticated, forbidden */
  const required = async (request: Request, response: Response): Promise<RemoteActor> => {
    if (!isSigned(request)) throw unsigned('fetches must be signed')
    await limits.refuseBeyond('signatures', request, response)
    try {
      return await verify(request)
    } catch (error) {
      if (isUnauthenticated(error)) await limits.countIn('signatures', request, response)
      throw error
    }
  }

  /** The signer of a request; undefined without a valid signature. @throws Failure forbidden */
  const optional = async (request: Request, response: Response): Promise<RemoteActor | undefined> => {
    if (!isSigned(request)) return undefined
    try {
      return await required(request, response)
    } catch (error) {
      if (isUnauthenticated(error)) return undefined
      throw error
    }
  }

  return { required, optional }
}
