import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openWire } from './wire-harness.ts'

const KEY = 'a key of thirty-two characters or so'

it('what a killed process was delivering is delivered again, and what is behind it after it', { timeout: 60_000 }, async () => {
  const harness = await openWire({ ENCRYPTION_KEY: KEY })
  await harness.wire().keys.publicKeyOf('7')
  const host = harness.servers.host('there.example')
  const ids = ['http://here.example/1', 'http://here.example/2', 'http://here.example/3']
  for (const id of ids) {
    await harness.deliver({
      activityId: id,
      senderId: '7',
      inboxes: [`http://${host}/inbox`],
      payload: Buffer.from(JSON.stringify({ id })),
    })
  }
  // The first delivery is answered; the process is killed during the second.
  const killing = Promise.withResolvers<void>()
  harness.servers.on(`POST ${host}`, ({ body }, response) => {
    if (body.includes(ids[0]!)) return response.writeHead(202).end()
    killing.resolve()
  })
  const script = join(import.meta.dirname, 'sending-process.ts')
  const child = spawn(process.execPath, [script, harness.url, KEY], { stdio: ['ignore', 'ignore', 'inherit'] })
  await killing.promise
  child.kill('SIGKILL')
  await once(child, 'exit')
  harness.servers.off(`POST ${host}`)
  harness.clock.time = Date.now() + 60_000
  const delivered = () => harness.servers.posted().map(({ body }) => JSON.parse(body.toString()).id)
  await expect
    .poll(
      async () => {
        await harness.due()
        return delivered().length
      },
      { timeout: 40_000, interval: 500 },
    )
    .toBe(4)
  expect(delivered()).toEqual([ids[0], ids[1], ids[1], ids[2]])
  const { rows } = await harness.database.pool.query('select distinct result from delivery')
  expect(rows).toEqual([{ result: 'delivered' }])
  await harness.close()
})
