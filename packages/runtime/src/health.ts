import { createEdge, openServer } from '@rookery/http'
import { type RequestHandler, Router } from 'express'
import type { Registry } from 'prom-client'
import { atPortOf } from './start-advice.ts'
import { within } from './within.ts'

/** Shutdown does not wait for checks that hang. */
const DEADLINES = { stop: 1000 }

/** A health check: the fault of a part of a process, or undefined. */
export type Check = () => string | undefined | Promise<string | undefined>

/** Health checks by the part they check. */
export type Checks = Record<string, Check>

/** The deadline of each check, in milliseconds: a health check must be answered within a second. */
const CHECK_MILLISECONDS = 800

/** Runs all checks concurrently and returns the faults; empty when ready. A timeout counts as a fault. */
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

/** A check that stays passed once it has passed: for dependencies that a process needs at its start, but can miss for a while later. */
export const once = (check: Check): Check => {
  let hasPassed = false
  return async () => {
    const fault = hasPassed ? undefined : await check()
    hasPassed ||= fault === undefined
    return fault
  }
}

const isEmpty = (faults: object) => Object.keys(faults).length === 0

/** Answers with the results of checks: `faults`, and `degraded` for those without which the process still works. */
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
 * Serves /health/started, /health/live, /health/ready and /metrics on a separate port, which is not public. While `checks` has a part
 * `start`, the process has not started.
 */
export const serveHealth = async (given: {
  port: number
  host: string
  /** Readiness checks. */
  checks: Checks
  /** Checks whose faults are reported without affecting readiness. */
  degraded?: Checks
  /** Checks whose faults only a restart can fix. */
  liveness?: Checks
  metrics: Registry
  /** Called with unexpected errors. */
  onError: (error: unknown) => void
}): Promise<{ port: number; close(): Promise<void> }> => {
  const { checks, metrics, onError } = given
  // `start` is removed from the checks once the process has started.
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
