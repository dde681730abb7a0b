import express, { type Request } from 'express'
import type { EdgeLog } from './arrive.ts'

type Trusts = (address: string, hop: number) => boolean

/** Which addresses some names of networks stand for, as express reads them. @throws TypeError */
export const trustIn = (networks: readonly string[]): Trusts =>
  express()
    .set('trust proxy', [...networks])
    .get('trust proxy fn')

/** Where a proxy of the operator's own stands: on this machine, or in its network. */
const isNear = trustIn(['loopback', 'linklocal', 'uniquelocal'])

/** What was found wrong, by the log of a process: its edges share it, and say it once. */
const said = new WeakMap<EdgeLog, string[]>()

/** What the edges of a process found wrong, a sentence each. */
export const edgeWarnings = (log: EdgeLog): readonly string[] => said.get(log) ?? []

/**
 * Notices a proxy nearby that forwards addresses without being configured as trusted: everyone behind it is then one caller, with one
 * caller's rate limits. A header from further away may be written by anyone, and is no sign of a proxy.
 */
export const noticeProxies = ({
  log,
  trustedProxies,
}: {
  log: EdgeLog
  trustedProxies: readonly string[]
}): ((request: Request) => void) => {
  const isTrusted = trustIn(trustedProxies)
  return ({ headers, socket }) => {
    const address = socket.remoteAddress
    if (headers['x-forwarded-for'] === undefined || address === undefined || said.has(log)) return
    if (isTrusted(address, 0) || !isNear(address, 0)) return
    said.set(log, [
      `A proxy at ${address} forwards requests, and TRUSTED_PROXIES does not name it: everyone behind it shares the rate limits of one address.`,
    ])
    log.warn({ address }, 'a proxy that TRUSTED_PROXIES does not name forwards requests: everyone behind it shares one address')
  }
}
