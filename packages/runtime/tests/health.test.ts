import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Checks, createMetrics, faultsOf, once, registerMetrics, serveHealth } from '../src/index.ts'

const onError = (error: unknown) => {
  throw error
}

describe('health', () => {
  let fault: string | undefined
  let cups = 0
  let health: Awaited<ReturnType<typeof serveHealth>>
  beforeEach(async () => {
    fault = undefined
    const metrics = createMetrics()
    registerMetrics(metrics, [{ name: 'cups_total', help: 'Cups of tea.', count: () => cups }])
    health = await serveHealth({ port: 0, host: '127.0.0.1', checks: { bus: () => fault }, metrics, onError })
  })
  afterEach(() => health.close())
  const get = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${health.port}${path}`)
    return { status: response.status, body: await response.text() }
  }

  test('is live while it runs, and ready only while every part is well', async () => {
    expect((await get('/health/live')).status).toBe(200)
    expect((await get('/health/ready')).status).toBe(200)
    fault = 'the brokers do not answer'
    const ready = await get('/health/ready')
    expect(ready.status).toBe(503)
    expect(JSON.parse(ready.body)).toEqual({ status: 'DOWN', faults: { bus: 'the brokers do not answer' } })
    expect((await get('/health/live')).status).toBe(200)
    fault = undefined
    expect((await get('/health/ready')).status).toBe(200)
  })

  test('shows the metrics of the process and of its modules, and nothing else', async () => {
    expect((await get('/metrics')).body).toContain('process_cpu_seconds_total')
    for (const count of [2, 5]) {
      cups = count
      expect((await get('/metrics')).body).toContain(`# HELP cups_total Cups of tea.\n# TYPE cups_total counter\ncups_total ${count}\n`)
    }
    for (const path of ['/', '/health', '/health/%ff', '/metrics/%00']) expect((await get(path)).status).toBe(404)
  })

  test('has started when its start is finished, regardless of what else it lacks', async () => {
    const checks: Checks = { start: () => 'the start is not finished', bus: () => 'the brokers do not answer' }
    const starting = await serveHealth({ port: 0, host: '127.0.0.1', checks, metrics: createMetrics(), onError })
    const started = async () => (await fetch(`http://127.0.0.1:${starting.port}/health/started`)).status
    expect(await started()).toBe(503)
    delete checks['start']
    expect(await started()).toBe(200)
    await starting.close()
  })

  test('what was reached once stays so', async () => {
    let away: string | undefined = 'it does not answer'
    const check = once(() => away)
    expect(await check()).toBe('it does not answer')
    away = undefined
    expect(await check()).toBe(undefined)
    away = 'it does not answer'
    expect(await check()).toBe(undefined)
  })

  test('a check that throws is a fault, and hides no other', async () => {
    const broken = async () => {
      throw new Error('no answer')
    }
    expect(await faultsOf({ database: broken, live: () => 'not subscribed', well: () => undefined })).toEqual({
      database: 'no answer',
      live: 'not subscribed',
    })
  })

  test('a check that never answers is a fault after its own deadline, and hides no other', async () => {
    const silent = () => new Promise<never>(() => {})
    expect(await faultsOf({ database: silent, live: () => 'not subscribed' }, { milliseconds: 20 })).toEqual({
      database: 'no answer within 20 milliseconds',
      live: 'not subscribed',
    })
  })
})
