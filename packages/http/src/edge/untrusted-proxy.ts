import express, { type Request } from 'express'
import type { EdgeLog } from './arrive.ts'

type Trusts = (address: string, hop: number) => boolean

/** A predicate for addresses in the given networks, as express reads them. @throws TypeError */
export const trustIn = (networks: readonly string[]): Trusts =>
  express()
    .set('trust proxy', [...networks])
    .get('trust proxy fn')

/** Whether an address is on this machine or in a private network, as that of an operator's own proxy. */
const isNear = trustIn(['loopback', 'linklocal', 'uniquelocal'])

/** Warnings by the log of a process: its edges share them, and log each once. */
const said = new WeakMap<EdgeLog, string[]>()

/** The warnings of a process's edges, a sentence each. */
export const edgeWarnings = (log: EdgeLog): readonly string[] => said.get(log) ?? []

/**
 * Warns of a nearby proxy that forwards addresses without being configured as trusted: everyone behind it then shares one client's rate
 * limits. Headers from further away do not count, since anyone may write them.
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
