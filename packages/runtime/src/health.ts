import { createEdge, openServer } from '@rookery/http'
import { type RequestHandler, Router } from 'express'
import type { Registry } from 'prom-client'
import { atPortOf } from './start-advice.ts'
import { within } from './within.ts'

/** A stop does not wait for checks that hang. */
const DEADLINES = { stop: 1000 }

/** The fault of a part of a process, or undefined when it is well. */
export type Check = () => string | undefined | Promise<string | undefined>

/** What a process needs to be useful, by part. */
export type Checks = Record<string, Check>

/** Each check's deadline, in milliseconds: a health check is answered within a second. */
const CHECK_MILLISECONDS = 800

/** The faults of the parts that are not well, asked side by side; empty when ready. A check that does not answer in time is a fault. */
export const faultsOf = async (checks: Checks, { milliseconds = CHECK_MILLISECONDS } = {}): Promise<Record<string, string>> => {
  const faults: Record<string, string> = {}
  const late = () => `no answer within ${milliseconds} milliseconds`
  await Promise.all(
    Object.entries(checks).map(async ([name, check]) => {
      try {
        const fault = await within(milliseconds, Promise.resolve(check()), late)
        if (fault) faults[name] = fault
      } catch (error) {
        faults[name] = (error as Error).message
      }
    }),
  )
  return faults
}

/** A check that, once passed, stays passed: for what a process cannot begin without, and can do without for a while. */
export const once = (check: Check): Check => {
  let hasPassed = false
  return async () => {
    const fault = hasPassed ? undefined : await check()
    hasPassed ||= fault === undefined
    return fault
  }
}

const isEmpty = (faults: object) => Object.keys(faults).length === 0

/** Returns the state of checks: what is faulty is named, and what does not work though the process is useful without. */
const answerState =
  (checks: Checks, lesser: Checks = {}): RequestHandler =>
  async (_request, response) => {
    const [faults, degraded] = await Promise.all([faultsOf(checks), faultsOf(lesser)])
    const isWell = isEmpty(faults)
    const state = isWell ? { status: 'UP' } : { status: 'DOWN', faults }
    const body = JSON.stringify({ ...state, ...(!isEmpty(degraded) && { degraded }) })
    response.writeHead(isWell ? 200 : 503, { 'content-type': 'application/json' }).end(body)
  }

/**
 * Serves /health/started, /health/live, /health/ready and /metrics on a port of their own, away from the public. While `checks` has a
 * part `start`, the process has not started.
 */
export const serveHealth = async (given: {
  port: number
  host: string
  /** What it needs to be useful. */
  checks: Checks
  /** What may be amiss without taking it out of service. */
  degraded?: Checks
  /** What only a new start can mend. */
  liveness?: Checks
  metrics: Registry
  /** Gets errors that no check expects. */
  onError: (error: unknown) => void
}): Promise<{ port: number; close(): Promise<void> }> => {
  const { checks, metrics, onError } = given
  // `start` goes from the checks when the process has started.
  const started: RequestHandler = (request, response, next) =>
    answerState(checks['start'] ? { start: checks['start'] } : {})(request, response, next)
  const router = Router()
    .get('/health/started', started)
    .get('/health/live', answerState(given.liveness ?? {}))
    .get('/health/ready', answerState(checks, given.degraded))
    .get('/metrics', async (_request, response) => {
      response.writeHead(200, { 'content-type': metrics.contentType }).end(await metrics.metrics())
    })
  const log = { debug() {}, warn() {}, error: ({ err }: { err?: unknown }) => onError(err) }
  return atPortOf(
    'HEALTH_PORT',
    openServer({ listener: createEdge({ log, routes: [router] }).answer, onError, deadlines: DEADLINES }, given),
  )
}
