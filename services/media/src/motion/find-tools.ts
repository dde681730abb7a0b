import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { type Confinement, findConfinement, findProgram, gapsOf, versionWithin } from './confinement.ts'

/** Where ffmpeg may be. */
export type ToolSettings = {
  readonly ffmpegPath: string | undefined
  readonly ffprobePath: string | undefined
  /** Folders of programs, as PATH names them. */
  readonly searchPath: string
}

/** The programs that read what moves and sounds, and how they are confined. */
export type Tools = { readonly ffmpeg: string; readonly ffprobe: string; readonly version: string; readonly confinement: Confinement }

const require = createRequire(import.meta.url)

/** The binary that a package of the registry brings; undefined where the package or its binary is missing. */
const packaged = (name: string): string | undefined => {
  try {
    const found: string | { path?: string } | null = require(name)
    return (typeof found === 'string' ? found : found?.path) ?? undefined
  } catch {
    return undefined
  }
}

type Place = () => string | undefined

const firstProgram = (places: readonly Place[]): string | undefined => {
  for (const place of places) {
    const path = place()
    const program = path === undefined ? undefined : findProgram(path, '')
    if (program) return program
  }
  return undefined
}

/** A path that is set is the only one that counts. */
const placesOf = (given: string | undefined, others: readonly Place[]): readonly Place[] => (given ? [() => given] : others)

const search = ({ ffmpegPath, ffprobePath, searchPath }: ToolSettings): Tools | undefined => {
  const ffmpeg = firstProgram(
    placesOf(ffmpegPath, [
      () => findProgram('ffmpeg', searchPath),
      () => packaged('ffmpeg-static'),
      () => packaged('@ffmpeg-installer/ffmpeg'),
    ]),
  )
  const ffprobe = firstProgram(
    placesOf(ffprobePath, [() => findProgram('ffprobe', searchPath), () => packaged('@ffprobe-installer/ffprobe')]),
  )
  if (!ffmpeg || !ffprobe) return undefined
  const confinement = findConfinement(ffmpeg, { folder: tmpdir(), searchPath })
  const version = versionWithin(confinement, ffmpeg, tmpdir())
  return version !== undefined && versionWithin(confinement, ffprobe, tmpdir()) !== undefined
    ? { ffmpeg, ffprobe, version, confinement }
    : undefined
}

const known = new Map<string, Tools | undefined>()

/** Finds ffmpeg and ffprobe, and how far this system confines them; undefined where one of them is missing or does not run. Looks once. */
export const findTools = (settings: ToolSettings): Tools | undefined => {
  const key = JSON.stringify(settings)
  if (!known.has(key)) known.set(key, search(settings))
  return known.get(key)
}

/** What the operator reads at the start. */
export const startNote = (tools: Tools | undefined): string => {
  if (!tools) return 'Video and sound are off: no ffmpeg with ffprobe was found. Install ffmpeg, or set FFMPEG_PATH and FFPROBE_PATH.'
  const gaps = gapsOf(tools.confinement)
  const confined = gaps.length > 0 ? `; not confined in full: ${gaps.join(', ')}` : ''
  return `Video and sound are on: ${tools.ffmpeg} ${tools.version}${confined}`
}
