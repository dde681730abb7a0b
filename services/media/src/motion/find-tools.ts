import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { layoutArguments, pictureArguments } from './arguments.rules.ts'
import { type Confinement, commandOf, findConfinement, findProgram, gapsOf, versionWithin } from './confinement.ts'
import { heifLayoutOf } from './heif.rules.ts'

/** The configured paths of ffmpeg. */
export type ToolSettings = {
  readonly ffmpegPath: string | undefined
  readonly ffprobePath: string | undefined
  /** Folders of programs, in the format of PATH. */
  readonly searchPath: string
}

/** The programs for video and audio, and their confinement. */
export type Tools = {
  readonly ffmpeg: string
  readonly ffprobe: string
  readonly version: string
  readonly confinement: Confinement
  /** Whether HEIF pictures can be read, tiled ones of phones included. */
  readonly readsHeif: boolean
}

const require = createRequire(import.meta.url)

/** The binary of an npm package; undefined if the package or its binary is missing. */
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

/** If a path is configured, only that one counts. */
const placesOf = (given: string | undefined, others: readonly Place[]): readonly Place[] => (given ? [() => given] : others)

/** A HEIC picture of 64 by 64 red pixels in one tile. */
const SAMPLE = `
  AAAAGGZ0eXBoZWljAAAAAG1pZjFoZWljAAABiW1ldGEAAAAAAAAAIWhkbHIAAAAAAAAAAHBpY3QAAAAAAAAAAAAAAAAAAAAADnBpdG0AAAAAAAEAAAAsaWxv
  YwAAAABEAAACAAEAAAABAAABqQAAAAgAAgAAAAEAAAGxAAAAFwAAADhpaW5mAAAAAAACAAAAFWluZmUCAAAAAAEAAGdyaWQAAAAAFWluZmUCAAAAAAIAAGh2
  YzEAAAAAGmlyZWYAAAAAAAAADmRpbWcAAQABAAIAAADQaXBycAAAAK5pcGNvAAAAdWh2Y0MBAWAAAACQAAAAAAAe8AD8/fj4AAAPA6AAAQAYQAEMAf//AWAA
  AAMAkAAAAwAAAwAelZgJoQABAChCAQEBYAAAAwCQAAADAAADAB6gIIEFllZpJMrwFoCAAAADAIAAAAyEogABAAdEAcFytCJAAAAAFGlzcGUAAAAAAAAAQAAA
  AEAAAAAUaXNwZQAAAAAAAABAAAAAQAAAAAlpcm90AAAAABppcG1hAAAAAAAAAAIAAQIDhAACAoECAAAAJ21kYXQAAAAAAEAAQAAAABMoAa8dgPfPgP/xzB/K
  Xhczla8f`

const TRIED = { cpuSeconds: 10, memoryBytes: 2 ** 31, fileBytes: 2 ** 20, niceness: 1 }

/**
 * Whether these programs read HEIF, found out by trying: versions before 7.1 do not, and builds may lack the decoder. Old versions are not
 * started for that.
 */
const readsHeif = ({ ffmpeg, ffprobe, version, confinement }: Omit<Tools, 'readsHeif'>): boolean => {
  if (Number.parseInt(version, 10) < 7) return false
  const folder = mkdtempSync(join(tmpdir(), 'rookery-heif-'))
  const [input, target] = ['sample', 'sample.jpg']
  const run = (tool: string, args: readonly string[]) => {
    const [command = '', ...rest] = commandOf(confinement, { tool, args, folder, input, limits: TRIED })
    return spawnSync(command, rest, { cwd: folder, env: {}, timeout: 10_000, encoding: 'utf8', maxBuffer: 2 ** 20 }).stdout ?? ''
  }
  try {
    writeFileSync(join(folder, input), Buffer.from(SAMPLE, 'base64'))
    const layout = heifLayoutOf(run(ffprobe, layoutArguments(input)))
    if (!layout) return false
    run(ffmpeg, pictureArguments(input, { layout, turns: [], target }))
    return (statSync(join(folder, target), { throwIfNoEntry: false })?.size ?? 0) > 0
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

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
  if (version === undefined || versionWithin(confinement, ffprobe, tmpdir()) === undefined) return undefined
  const tools = { ffmpeg, ffprobe, version, confinement }
  return { ...tools, readsHeif: readsHeif(tools) }
}

const known = new Map<string, Tools | undefined>()

/** Finds ffmpeg and ffprobe, and how far this system confines them; undefined if one of them is missing or does not run. Searches once. */
export const findTools = (settings: ToolSettings): Tools | undefined => {
  const key = JSON.stringify(settings)
  if (!known.has(key)) known.set(key, search(settings))
  return known.get(key)
}

/** The note for the operator at the start. */
export const startNote = (tools: Tools | undefined): string => {
  if (!tools) return 'Video and sound are off: no ffmpeg with ffprobe was found. Install ffmpeg, or set FFMPEG_PATH and FFPROBE_PATH.'
  const gaps = gapsOf(tools.confinement)
  const confined = gaps.length > 0 ? `; not confined in full: ${gaps.join(', ')}` : ''
  const heif = tools.readsHeif ? '' : '; without HEIC pictures, which take 7.1 or newer'
  return `Video and sound are on: ${tools.ffmpeg} ${tools.version}${heif}${confined}`
}
