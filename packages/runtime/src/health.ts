import { createServer } from 'node:http'
import type { Registry } from 'prom-client'

/** What a process needs to be useful: each part's fault, or undefined when it is well. */
export type Checks = Record<string, () => string | undefined | Promise<string | undefined>>

/** The faults of the parts that are not well; empty when ready. */
export const faultsOf = async (checks: Checks): Promise<Record<string, string>> => {
  const faults: Record<string, string> = {}
  await Promise.all(
    Object.entries(checks).map(async ([name, check]) => {
      try {
        const fault = await check()
        if (fault) faults[name] = fault
      } catch (error) {
        faults[name] = (error as Error).message
      }
    }),
  )
  return faults
}

/** Serves /health/live, /health/ready and /metrics on a port of their own, away from the public. */
export const serveHealth = async (given: {
  port: number
  host: string
  checks: Checks
  metrics: Registry
}): Promise<{ port: number; close(): Promise<void> }> => {
  const server = createServer(async (request, response) => {
    const reply = (status: number, type: string, body: string) => response.writeHead(status, { 'content-type': type }).end(body)
    if (request.url === '/health/live') return reply(200, 'application/json', '{"status":"UP"}')
    if (request.url === '/health/ready') {
      const faults = await faultsOf(given.checks)
      const isReady = Object.keys(faults).length === 0
      return reply(isReady ? 200 : 503, 'application/json', JSON.stringify(isReady ? { status: 'UP' } : { status: 'DOWN', faults }))
    }
    if (request.url === '/metrics') return reply(200, given.metrics.contentType, await given.metrics.metrics())
    return reply(404, 'application/json', '{"error":"Not Found"}')
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(given.port, given.host, resolve))
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : given.port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
