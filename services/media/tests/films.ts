import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findTools, type ToolSettings } from '../src/motion/index.ts'

const run = promisify(execFile)

/** The paths of ffmpeg in tests. */
export const TOOLS: ToolSettings = { ffmpegPath: undefined, ffprobePath: undefined, searchPath: process.env['PATH'] ?? '' }

const found = findTools(TOOLS)

/** Whether this machine can create and read videos. */
export const hasFilms = found !== undefined

/** Whether this machine can read HEIF pictures. */
export const hasHeif = found?.readsHeif === true

/** The name of a group of tests that needs ffmpeg, which says so if they are skipped. */
export const filmTests = (what: string): string => (hasFilms ? what : `${what}: left out, there is no ffmpeg`)

/** Creates a file with these arguments of ffmpeg, and returns its bytes. */
export const film = async (ending: string, ...args: string[]): Promise<Buffer> => {
  const folder = await mkdtemp(join(tmpdir(), 'rookery-film-'))
  try {
    const path = join(folder, `film.${ending}`)
    await run(found!.ffmpeg, ['-hide_banner', '-loglevel', 'error', ...args, '-y', path])
    return await readFile(path)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Moving stripes and a counter, of this many seconds. */
export const stripes = ({ size = '64x48', rate = 10, seconds = 2 } = {}): string[] => [
  ...['-f', 'lavfi', '-i', `testsrc=s=${size}:r=${rate}:d=${seconds}`],
]

/** A tone of this many seconds. */
export const tone = ({ seconds = 2 } = {}): string[] => ['-f', 'lavfi', '-i', `sine=d=${seconds}`]

export const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p']
export const AAC = ['-c:a', 'aac', '-shortest']

/** A clip as phones make them: H.264 with AAC, and a location. */
export const phoneClip = (): Promise<Buffer> =>
  film('mp4', ...stripes(), ...tone(), ...H264, ...AAC, '-metadata', 'location=+51.5000-000.1200/', '-metadata', 'title=SecretTitle')

export type Stream = {
  codec_name: string
  codec_type: string
  width?: number
  height?: number
  pix_fmt?: string
  channels?: number
  color_transfer?: string
  color_space?: string
}
export type Inspected = { streams: Stream[]; format: { duration: string; tags?: Record<string, string> } }

/** The output of ffprobe for a file. */
export const inspect = async (bytes: Buffer): Promise<Inspected> => {
  const folder = await mkdtemp(join(tmpdir(), 'rookery-film-'))
  try {
    const path = join(folder, 'made')
    await writeFile(path, bytes)
    const { stdout } = await run(found!.ffprobe, ['-loglevel', 'error', '-of', 'json', '-show_format', '-show_streams', path])
    return JSON.parse(stdout)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
