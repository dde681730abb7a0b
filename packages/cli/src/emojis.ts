import { readdirSync, statSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { type CustomEmoji, EmojiOperatorDefinition, type RemoteEmoji } from '@rookery/contracts/statuses'
import { Failure } from '@rookery/failures'
import { operatorCall, type Servers } from './servers.ts'
import { type Subcommand, textOf } from './subcommand.ts'
import { typedFile } from './typed-file.ts'

const emojisOf = (servers: Servers) => servers.of('statuses', EmojiOperatorDefinition)

const PICTURES = new Set(['.png', '.gif', '.webp'])

const lineOf = ({ shortcode, category, url, isDisabled }: CustomEmoji) =>
  [shortcode, category, url, ...(isDisabled ? ['disabled'] : [])].join('\t')

/** The files to upload: the named ones, and the pictures of named folders. */
const filesOf = (path: string): string[] => {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [path]
  const names = readdirSync(path).filter((name) => PICTURES.has(extname(name).toLowerCase()))
  return names.sort().map((name) => join(path, name))
}

const add: Subcommand = {
  usage: 'import <file-or-folder...>',
  summary: 'Adds pictures (PNG, GIF, WebP, 256 KB at most) as emojis, each named by its file; one of the same name is replaced.',
  options: { '--category <text>': 'the category that pickers show them in' },
  async run(servers, typed) {
    const files = typed.operands.flatMap(filesOf)
    const operator = await emojisOf(servers)
    const imported: CustomEmoji[] = []
    const failed: { file: string; error: string }[] = []
    for (const file of files) {
      const shortcode = basename(file, extname(file))
      const request = { shortcode, category: textOf(typed, 'category'), picture: typedFile(file) }
      try {
        imported.push(await operator.import(operatorCall(), request))
      } catch (error) {
        // An invalid picture does not affect the others; an unreachable server does.
        if (!(error instanceof Failure) || error.kind !== 'invalid') throw error
        failed.push({ file, error: error.message })
      }
    }
    const lines = [...failed.map(({ file, error }) => `${file}\t${error}`), `${imported.length} imported, ${failed.length} failed.`]
    return { lines, json: { imported, failed }, hasFailed: failed.length > 0 }
  },
}

const list: Subcommand = {
  usage: 'list',
  summary: 'Lists emojis: shortcode, category, address.',
  async run(servers) {
    const { emojis } = await (await emojisOf(servers)).list(operatorCall(), {})
    return { lines: emojis.map(lineOf), json: emojis }
  },
}

const remove: Subcommand = {
  usage: 'remove <shortcode>',
  summary: 'Takes an emoji away; what was written with it keeps its picture.',
  async run(servers, { operands }) {
    const emoji = await (await emojisOf(servers)).remove(operatorCall(), { shortcode: operands[0] ?? '' })
    return { lines: [`The emoji ${emoji.shortcode} was removed.`], json: emoji }
  },
}

const disabling = (isDisabled: boolean): Subcommand => ({
  usage: isDisabled ? 'disable <shortcode>' : 'enable <shortcode>',
  summary: isDisabled
    ? 'Keeps people from using an emoji; what was written with it keeps its picture.'
    : 'Lets people use an emoji that was disabled.',
  async run(servers, { operands }) {
    const emoji = await (await emojisOf(servers)).setDisabled(operatorCall(), { shortcode: operands[0] ?? '', isDisabled })
    return { lines: [`The emoji ${emoji.shortcode} is ${isDisabled ? 'disabled' : 'enabled'}.`], json: emoji }
  },
})

const listRemote: Subcommand = {
  usage: 'list-remote [domain]',
  summary: 'Lists emojis that came with posts and profiles of other servers: domain, shortcode, address.',
  async run(servers, { operands }) {
    const operator = await emojisOf(servers)
    const emojis: RemoteEmoji[] = []
    let after = { afterDomain: '', afterShortcode: '' }
    do {
      const page = await operator.listRemote(operatorCall(), { domain: operands[0] ?? '', ...after })
      emojis.push(...page.emojis)
      after = { afterDomain: page.nextAfterDomain, afterShortcode: page.nextAfterShortcode }
    } while (after.afterDomain !== '')
    return { lines: emojis.map(({ domain, shortcode, url }) => [domain, shortcode, url].join('\t')), json: emojis }
  },
}

const copy: Subcommand = {
  usage: 'copy <domain> <shortcode> [new-shortcode]',
  summary: 'Adds the picture of an emoji of another server to those of this one.',
  options: { '--category <text>': 'the category that pickers show it in' },
  async run(servers, typed) {
    const [domain = '', shortcode = '', newShortcode = ''] = typed.operands
    const request = { domain, shortcode, newShortcode, category: textOf(typed, 'category') }
    const emoji = await (await emojisOf(servers)).copyRemote(operatorCall(), request)
    return { lines: [`The emoji ${emoji.shortcode} was added.`], json: emoji }
  },
}

const removeRemote: Subcommand = {
  usage: 'remove-remote <domain> <shortcode>',
  summary: 'Takes an emoji of another server off the list until something comes with it again.',
  async run(servers, { operands }) {
    const [domain = '', shortcode = ''] = operands
    const emoji = await (await emojisOf(servers)).removeRemote(operatorCall(), { domain, shortcode })
    return { lines: [`The emoji ${emoji.shortcode} of ${emoji.domain} was removed.`], json: emoji }
  },
}

export const EMOJI_COMMANDS: readonly Subcommand[] = [add, list, remove, disabling(true), disabling(false), listRemote, copy, removeRemote]
