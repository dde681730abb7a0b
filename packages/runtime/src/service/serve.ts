import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { after } from '@rookery/handles'
import { type Handler, serve } from '@rookery/rpc'
import { callFaults } from '../call-faults.ts'
import { diagnosticsHandler } from '../diagnostics.ts'
import { failedWorkHandlers } from '../failed-jobs.rpc.ts'
import { serveHttp } from '../http.ts'
import { operatorHandlers } from '../operator.ts'
import type { Lifecycle } from '../process.ts'
import { runProcess } from '../process.ts'
import { atPortOf } from '../start-advice.ts'
import { tracedHandler, tracedHttp } from '../tracing/index.ts'
import { ownEnvironment, requireCredentials } from './config.ts'
import type { AnyDeclaration } from './declaration.ts'
import { startLogger } from './log-settings.ts'
import { finishStart, type OpenService, openService } from './open.ts'

/** How long running calls may take at shutdown: a little more than their deadlines. */
const CALLS_MILLISECONDS = 16_000

/** The operator's calls for dead letters and failed jobs of a service. */
const failedWorkOf = (name: string, { module, database }: OpenService): Handler[] =>
  database ? failedWorkHandlers([{ service: name, database, consumers: module.consumers, hasJobs: module.jobs.length > 0 }]) : []

/** Serves the operator's command on a socket in the data folder. */
const serveOperator = async (name: string, service: OpenService, lifecycle: Lifecycle) => {
  const { module, database, config } = service
  const own: Handler[] = [...(module.operator ?? []), ...failedWorkOf(name, service)]
  if (own.length === 0) return
  const stores = database ? [{ service: name, database, hasJobs: module.jobs.length > 0 }] : []
  const diagnostics = diagnosticsHandler({
    baseUrl: module.baseUrl,
    checks: service.checks,
    degraded: service.degraded,
    notes: module.notes ?? [],
    warnings: module.warnings ? [module.warnings] : [],
    log: service.log,
    stores,
  })
  const handlers = [...own, diagnostics]
  mkdirSync(config.dataDir, { recursive: true })
  const socket = `unix:${resolve(join(config.dataDir, `${name}.operator.sock`))}`
  const server = await serve(operatorHandlers(handlers), socket, { onFault: callFaults(service.log) })
  lifecycle.onClose('operator', () => server.stop())
}

/** Serves the public side of the service, if it has one. Its module ends its streams once no new requests are accepted. */
const openPublic = async ({ module, config, observers, tracing, log }: OpenService, lifecycle: Lifecycle) => {
  const { http, upgrade, closeMilliseconds = 0 } = module
  lifecycle.extendTimeout(closeMilliseconds)
  const endStreams = async () => module.close?.()
  if (!http) return void lifecycle.onClose('module', endStreams)
  const onError = (error: unknown) => log.error({ err: error }, 'unhandled error in request')
  const side = { http: tracedHttp(http, tracing), endStreams, observe: observers.request, onError, ...(upgrade && { upgrade }) }
  const server = lifecycle.add('public', await atPortOf('HTTP_PORT', serveHttp(side, { host: config.host, port: config.httpPort })))
  lifecycle.drainFor(0, server.drain)
  return server
}

/**
 * When callers are asked to reconnect, as fractions of the drain period: once most have resolved the name again, and later for the rest.
 */
const RECONNECT_AT = [0.5, 0.9]

/** Makes callers reconnect while this process still answers, so that none is left with its address. */
const askCallersToReconnect = (
  rpc: { askToReconnect(graceMilliseconds: number): void },
  lastWhile: number,
  onError: (error: unknown) => void,
) => {
  for (const part of RECONNECT_AT) after(lastWhile * part, () => rpc.askToReconnect(CALLS_MILLISECONDS), { onError, holdsProcess: false })
}

/** Starts everything that serves: calls, public requests, and the operator's command. */
export const openServing = async (declared: AnyDeclaration, service: OpenService, lifecycle: Lifecycle): Promise<object> => {
  const { module, config } = service
  await serveOperator(declared.name, service, lifecycle)
  if (module.rpc.length > 0) requireCredentials(config)
  const reported = { onFault: callFaults(service.log), meter: service.observers.answered, credentials: config.credentials }
  const rpc =
    module.rpc.length > 0
      ? await atPortOf(
          'RPC_PORT',
          serve(
            [...module.rpc, ...failedWorkOf(declared.name, service)].map((handler) => tracedHandler(handler, service.tracing)),
            `${config.host}:${config.rpcPort}`,
            reported,
          ),
        )
      : undefined
  const onError = (error: unknown) => service.log.error({ err: error }, 'closing connections of callers failed')
  if (rpc) lifecycle.onClose('rpc', () => rpc.stop(CALLS_MILLISECONDS))
  if (rpc && config.drainSeconds > 0) lifecycle.drainFor(0, () => askCallersToReconnect(rpc, config.drainSeconds * 1000, onError))
  const web = await openPublic(service, lifecycle)
  return { rpcPort: rpc?.port, httpPort: web?.port }
}

/** Runs the serving process of a service. */
export const runServing = (declared: AnyDeclaration): Promise<void> =>
  runProcess(startLogger(declared.name, ownEnvironment()), async (lifecycle) => {
    const service = await openService(declared, { role: 'serve' }, lifecycle)
    finishStart(service, await openServing(declared, service, lifecycle))
  })
