import { AttachmentsDefinition } from '@rookery/contracts/media'
import { type Client, type Connection, connect, openConnection, serve } from '@rookery/rpc'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, type Harness, openHarness, partsOf } from './harness.ts'
import { corners, noise } from './pictures.ts'

let harness: Harness
let server: Awaited<ReturnType<typeof serve>>
let connection: Connection
let attachments: Client<typeof AttachmentsDefinition>
beforeAll(async () => {
  harness = await openHarness()
  server = await serve(harness.media.rpc, '127.0.0.1:0')
  connection = openConnection(`127.0.0.1:${server.port}`)
  attachments = connect(AttachmentsDefinition, connection)
})
afterAll(async () => {
  connection.close()
  await server.stop()
  await harness.close()
})

const upload = (bytes: Uint8Array) => attachments.upload(call(), partsOf({ ownerId: '1' }, bytes))

describe('over a wire', () => {
  it('a picture is received', async () => {
    const { attachment } = await upload(await corners(300, 200).png().toBuffer())
    expect(attachment).toMatchObject({ type: 'image', original: { width: 300, height: 200 } })
  })

  it('too many bytes are refused with the reason, and the next upload goes well', async () => {
    await expect(upload(Buffer.alloc(17_000_000))).rejects.toMatchObject({
      kind: 'invalid',
      message: 'Validation failed: File must be less than 16 MB',
    })
    expect((await upload(await corners(8, 8).png().toBuffer())).attachment?.type).toBe('image')
    expect(await harness.uploadsUnderWay()).toEqual([])
  })

  it('an upload must begin with its description', async () => {
    const chunk = { part: { $case: 'chunk' as const, value: Buffer.from('x') } }
    const parts = (async function* () {
      yield chunk
    })()
    await expect(attachments.upload(call(), parts)).rejects.toMatchObject({ kind: 'malformed' })
  })

  it('a caller that goes away in the middle leaves nothing', async () => {
    const gone = new AbortController()
    const bytes = await noise(300, 300).png().toBuffer()
    const parts = (async function* () {
      for await (const part of partsOf({ ownerId: '1' }, bytes)) {
        yield part
        if (part.part?.$case === 'chunk') break
      }
      await expect.poll(() => harness.uploadsUnderWay()).toHaveLength(1)
      gone.abort()
      yield* partsOf({ ownerId: '1' }, bytes)
    })()
    await expect(attachments.upload({ ...call(), signal: gone.signal }, parts)).rejects.toMatchObject({ kind: 'unavailable' })
    await expect.poll(() => harness.uploadsUnderWay()).toEqual([])
  })
})
