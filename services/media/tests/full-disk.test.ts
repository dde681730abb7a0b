import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, rmdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { type Person, World } from '@rookery/test-world'
import { multipart, send } from '@rookery/test-world/raw-request'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PNG_SIGNATURE, pngChunk } from './pictures.ts'

const KILOBYTE = 1024

/** A grey PNG of noise with this many kilobytes, which does not shrink when re-encoded. */
const noise = (kilobytes: number): Buffer => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(KILOBYTE, 0)
  header.writeUInt32BE(kilobytes, 4)
  header[8] = 8
  const rows = Buffer.concat(Array.from({ length: kilobytes }, () => Buffer.concat([Buffer.of(0), randomBytes(KILOBYTE)])))
  return Buffer.concat([PNG_SIGNATURE, pngChunk('IHDR', header), pngChunk('IDAT', deflateSync(rows)), pngChunk('IEND', Buffer.alloc(0))])
}

/** Mounts a small disk; undefined if this process may not. */
const mountDisk = () => {
  const folder = mkdtempSync(join(tmpdir(), 'rookery-disk-'))
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', folder]).status !== 0) {
    rmdirSync(folder)
    return undefined
  }
  const ballast = join(folder, 'ballast')
  return {
    folder,
    /** Fills the disk except for this many bytes. */
    leave(bytes: number) {
      rmSync(ballast, { force: true })
      const { bavail, bsize } = statfsSync(folder)
      writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - bytes)))
    },
    empty: () => rmSync(ballast, { force: true }),
    /** The files on the disk. */
    files: () =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && entry.name !== 'ballast')
        .map(({ name }) => name),
    unmount() {
      // Lazily: a child process of media may still be ending.
      spawnSync('umount', ['--lazy', folder])
      rmdirSync(folder)
    },
  }
}

const disk = mountDisk()

describe.skipIf(!disk)(disk ? 'an upload on a full disk' : 'an upload on a full disk: mounting one needs root', () => {
  const own = disk!
  const usualFolder = process.env['TMPDIR']
  let world: World
  let mara: Person
  let database: pg.Client
  beforeAll(async () => {
    world = await World.open({ settings: { DATA_DIR: own.folder } })
    mara = await world.person('mara')
    database = new pg.Client({ connectionString: world.databaseUrl })
    await database.connect()
    // The gateway stores uploads there, on the same disk.
    process.env['TMPDIR'] = join(own.folder, 'tmp')
    mkdirSync(process.env['TMPDIR'])
  })
  afterAll(async () => {
    if (usualFolder === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = usualFolder
    await database?.end()
    await world?.close()
    own.unmount()
  })

  const records = async () => Number((await database.query('select count(*) from media.attachment')).rows[0].count)
  const upload = async (bytes: Buffer) => {
    const form = multipart([{ name: 'file', value: bytes, file: 'a.png', type: 'image/png' }])
    return send(world.origin, { method: 'POST', path: '/api/v2/media', token: mara.token, ...form })
  }

  it('is answered with 503 wherever the room ends, and leaves nothing behind', async () => {
    const picture = noise(64)
    const answers: number[] = []
    // From no room for the upload at the gateway to almost enough for the last stored file.
    for (let room = 0; room <= 448; room += 32) {
      own.leave(room * KILOBYTE)
      const [files, rows] = [own.files(), await records()]
      const { status, body } = await upload(picture)
      answers.push(status)
      if (status === 200) break
      expect({ status, body }).toEqual({ status: 503, body: { error: 'Service Unavailable' } })
      expect(own.files()).toEqual(files)
      expect(await records()).toBe(rows)
    }
    expect(answers.length).toBeGreaterThan(8)
    expect(answers.slice(0, 8)).toEqual(Array(8).fill(503))
  })

  it('is taken again once there is room', async () => {
    own.empty()
    const { status, body } = await upload(noise(64))
    expect(status).toBe(200)
    expect(await world.get(new URL(body.url).pathname)).toMatchObject({ status: 200 })
  })
})
