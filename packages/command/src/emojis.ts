import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { type CustomEmoji, EmojiOperatorDefinition } from '@rookery/contracts/statuses'
import { Failure } from '@rookery/failures'
import { operatorCall, type Servers } from './servers.ts'
import { type Subcommand, textOf } from './subcommand.ts'

const emojisOf = (servers: Servers) => servers.of('statuses', EmojiOperatorDefinition)

const PICTURES = new Set(['.png', '.gif', '.webp'])

const lineOf = ({ shortcode, category, url }: CustomEmoji) => [shortcode, category, url].join('\t')

/** The files meant: each that is named, and of a folder those that are pictures. @throws Error for what is not there */
const filesOf = (path: string): string[] => {
  if (!statSync(path).isDirectory()) return [path]
  const names = readdirSync(path).filter((name) => PICTURES.has(extname(name).toLowerCase()))
  return names.sort().map((name) => join(path, name))
}

const add: Subcommand = {
  name: 'emoji import',
  usage: 'FILE_OR_FOLDER… [--category TEXT]',
  summary: 'Adds pictures (PNG, GIF, WebP, 256 KB at most) as emojis, each named by its file; one of the same name is replaced.',
  operands: [1, Number.POSITIVE_INFINITY],
  options: { category: { type: 'string' } },
  async run(servers, typed) {
    const files = typed.operands.flatMap(filesOf)
    const operator = await emojisOf(servers)
    const imported: CustomEmoji[] = []
    const failed: { file: string; error: string }[] = []
    for (const file of files) {
      const shortcode = basename(file, extname(file))
      const request = { shortcode, category: textOf(typed, 'category'), picture: readFileSync(file) }
      try {
        imported.push(await operator.import(operatorCall(), request))
      } catch (error) {
        // What is wrong with one picture says nothing of the others; a server that is away does.
        if (!(error instanceof Failure) || error.kind !== 'invalid') throw error
        failed.push({ file, error: error.message })
      }
    }
    const lines = [...failed.map(({ file, error }) => `${file}\t${error}`), `${imported.length} imported, ${failed.length} failed.`]
    return { lines, json: { imported, failed }, hasFailed: failed.length > 0 }
  },
}

const list: Subcommand = {
  name: 'emoji list',
  usage: '',
  summary: 'Lists emojis: shortcode, category, address.',
  operands: [0, 0],
  async run(servers) {
    const { emojis } = await (await emojisOf(servers)).list(operatorCall(), {})
    return { lines: emojis.map(lineOf), json: emojis }
  },
}

const remove: Subcommand = {
  name: 'emoji remove',
  usage: 'SHORTCODE',
  summary: 'Takes an emoji away; what was written with it keeps its picture.',
  operands: [1, 1],
  async run(servers, { operands }) {
    const emoji = await (await emojisOf(servers)).remove(operatorCall(), { shortcode: operands[0] ?? '' })
    return { lines: [`The emoji ${emoji.shortcode} was removed.`], json: emoji }
  },
}

export const EMOJI_COMMANDS: readonly Subcommand[] = [add, list, remove]
