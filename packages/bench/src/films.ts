import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Options } from './config.ts'
import type { Harness } from './harness.ts'
import { measure, requestsOf } from './requests.ts'
import { tokenOf } from './seed.ts'
import type { Line } from './table.ts'

const run = promisify(execFile)
const MEGABYTE = 1024 * 1024
const HOME = 'home timeline of 20'

const seconds = (since: number) => (performance.now() - since) / 1000
const picture = (size: string, lasting: number, rate = 30) => ['-f', 'lavfi', '-i', `testsrc2=s=${size}:r=${rate}:d=${lasting}`]
const tone = (lasting: number) => ['-f', 'lavfi', '-i', `sine=d=${lasting}`]
const ENCODED = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '23', '-maxrate', '5M', '-bufsize', '10M', '-pix_fmt', 'yuv420p']
const FAST_START = ['-movflags', '+faststart']

/** Pads a film with free space: the size matters for the upload only. */
const padded = (film: Buffer, bytes: number): Buffer => {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(bytes - film.length, 0)
  head.write('free', 4, 'latin1')
  return Buffer.concat([film, head], bytes)
}

type Uploaded = { id: string; url: string | null }

/** The files of the measurement, and operations on them. */
const workbench = ({ origin }: Harness, { path }: Options) => {
  const folder = mkdtempSync(join(tmpdir(), 'rookery-films-'))
  const at = (name: string) => join(folder, name)
  const headers = (person: number) => ({ Authorization: `Bearer ${tokenOf(person)}` })
  const ffmpeg = (...args: string[]) => run('ffmpeg', ['-loglevel', 'error', '-y', ...args], { env: { PATH: path } })
  const read = async (id: string, person: number): Promise<{ status: number; body: Uploaded }> => {
    const response = await fetch(`${origin}/api/v1/media/${id}`, { headers: headers(person) })
    return { status: response.status, body: (await response.json()) as Uploaded }
  }
  const upload = async (bytes: Buffer, person: number): Promise<Uploaded> => {
    const form = new FormData()
    form.append('file', new Blob([new Uint8Array(bytes)]), 'film')
    const response = await fetch(`${origin}/api/v2/media`, { method: 'POST', headers: headers(person), body: form })
    if (!response.ok) throw new Error(`an upload was refused: ${response.status} ${await response.text()}`)
    return (await response.json()) as Uploaded
  }
  const done = async ({ id }: Uploaded, person: number): Promise<Uploaded> => {
    for (;;) {
      const { status, body } = await read(id, person)
      if (status === 200) return body
      if (status !== 206) throw new Error(`a film ended with ${status}`)
      await pause(50)
    }
  }
  return { at, ffmpeg, upload, done, bytesOf: (name: string) => readFileSync(at(name)), close: () => rmSync(folder, { recursive: true }) }
}

type Workbench = ReturnType<typeof workbench>

/** Measures a film until its upload is answered and until it can be posted, beside ffmpeg alone with the same work. */
const measureFilm = async (
  what: string,
  name: string,
  plain: readonly string[],
  { at, ffmpeg, upload, done, bytesOf }: Workbench,
): Promise<Line> => {
  const begun = performance.now()
  const uploaded = await upload(bytesOf(name), 1)
  const answered = seconds(begun)
  await done(uploaded, 1)
  const whole = seconds(begun)
  const again = performance.now()
  await ffmpeg('-i', at(name), ...plain, ...FAST_START, at('plain.mp4'))
  return {
    what,
    remark: `${whole.toFixed(1)} s, its upload answered after ${answered.toFixed(1)} s; ffmpeg alone ${seconds(again).toFixed(1)} s`,
  }
}

const measurePictures = async ({ ffmpeg, at, upload, done, bytesOf }: Workbench): Promise<Line[]> => {
  await ffmpeg(...picture('4000x3000', 1, 1), '-vf', 'noise=alls=20', '-frames:v', '1', '-q:v', '2', at('photo.jpg'))
  await ffmpeg(...picture('640x480', 5, 20), '-vf', 'noise=alls=4:allf=t', at('moving.gif'))
  const begun = performance.now()
  await upload(bytesOf('photo.jpg'), 1)
  const photo = seconds(begun)
  const gif = bytesOf('moving.gif')
  const again = performance.now()
  const { url } = await done(await upload(gif, 1), 1)
  const lasted = seconds(again)
  const after = Number((await fetch(url ?? '', { method: 'HEAD' })).headers.get('content-length'))
  return [
    { what: 'a photo of 12 megapixels', remark: `${photo.toFixed(1)} s` },
    {
      what: 'a GIF',
      remark: `${lasted.toFixed(1)} s; ${(gif.length / MEGABYTE).toFixed(1)} MB become ${(after / MEGABYTE).toFixed(1)} MB`,
    },
  ]
}

const UPLOADS = 20
const UPLOADED_BYTES = 40 * MEGABYTE

/** Measures concurrent uploads: throughput, and the memory of the server's process without its child processes. */
const measureUploads = async ({ upload, bytesOf }: Workbench, { server }: Harness): Promise<Line> => {
  const resident = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) / 1024
  const film = padded(bytesOf('short.mp4'), UPLOADED_BYTES)
  const before = resident()
  let most = before
  const watch = setInterval(() => {
    most = Math.max(most, resident())
  }, 20)
  const begun = performance.now()
  const ended = await Promise.allSettled(Array.from({ length: UPLOADS }, (_, index) => upload(film, index + 1)))
  clearInterval(watch)
  const taken = ended.filter(({ status }) => status === 'fulfilled').length
  return {
    what: `${UPLOADS} uploads of 40 MB at once`,
    perSecond: `${Math.round((UPLOADS * UPLOADED_BYTES) / MEGABYTE / seconds(begun))} MB/s`,
    memory: `${Math.round(before)} MB before, ${Math.round(most)} MB at most`,
    remark: `${taken} taken`,
  }
}

/** Measures the home timeline, alone and while two films are re-encoded. */
const measureHome = async ({ upload, done, bytesOf }: Workbench, harness: Harness, options: Options): Promise<Line[]> => {
  const alone = await measure(HOME, harness, requestsOf(harness.sizes)[HOME]!, options)
  const films = await Promise.all([2, 3].map(async (person) => ({ person, uploaded: await upload(bytesOf('long.webm'), person) })))
  const beside = await measure(`${HOME} while two films are processed`, harness, requestsOf(harness.sizes)[HOME]!, options)
  for (const { person, uploaded } of films) await done(uploaded, person)
  return [alone, beside]
}

/** Measures the cost of films, pictures and uploads, for themselves and for others. @throws Error when ffmpeg is missing */
export const measureFilms = async (harness: Harness, options: Options): Promise<Line[]> => {
  const bench = workbench(harness, options)
  const { ffmpeg, at } = bench
  try {
    await ffmpeg(...picture('64x48', 2), ...tone(2), ...ENCODED, '-c:a', 'aac', at('short.mp4'))
    await ffmpeg(
      ...picture('1920x1080', 10),
      ...tone(10),
      ...ENCODED.slice(0, 4),
      '-b:v',
      '12M',
      '-pix_fmt',
      'yuv420p',
      '-c:a',
      'aac',
      at('phone.mp4'),
    )
    await ffmpeg(
      ...picture('1920x1080', 10),
      ...tone(10),
      '-c:v',
      'libvpx',
      '-deadline',
      'realtime',
      '-cpu-used',
      '8',
      '-b:v',
      '8M',
      at('film.webm'),
    )
    await ffmpeg('-stream_loop', '3', '-i', at('film.webm'), '-c', 'copy', at('long.webm'))
    return [
      await measureFilm('a film of 10 s at 1080p, passed on', 'phone.mp4', ['-c', 'copy'], bench),
      await measureFilm('a film of 10 s at 1080p, re-encoded', 'film.webm', [...ENCODED, '-threads', '2', '-c:a', 'aac'], bench),
      ...(await measurePictures(bench)),
      ...(await measureHome(bench, harness, options)),
      await measureUploads(bench, harness),
    ]
  } finally {
    bench.close()
  }
}
