import {
  InstanceDefinition,
  type InstancePicture,
  InstanceSettingsDefinition,
  type InstanceText,
  type Rule,
  type TermsVersion,
} from '@rookery/contracts/federation'
import { onOneLine } from './printable.ts'
import { operatorCall, type Servers } from './servers.ts'
import { type Subcommand, textOf } from './subcommand.ts'
import { typedFile, typedTextFile } from './typed-file.ts'

const settingsOf = (servers: Servers) => servers.of('federation', InstanceSettingsDefinition)

const lineOf = ({ name, value, isStored }: InstanceText) => [name, isStored ? 'stored' : 'environment', onOneLine(value)].join('\t')

const list: Subcommand = {
  usage: 'list',
  summary: 'Lists what the server says of itself: name, whether it is stored or of the environment, text.',
  async run(servers) {
    const { texts } = await (await settingsOf(servers)).read(operatorCall(), {})
    return { lines: texts.map(lineOf), json: texts }
  },
}

/** A text as typed, or the content of a file. */
const typedText = (typed: string, isFile: boolean) => (isFile ? typedTextFile(typed) : typed)

const set: Subcommand = {
  usage: 'set <name> <text>',
  summary: 'Changes one of them; what is set back to the text of the environment follows it again.',
  options: { '--file': 'the text is the name of a file that holds it' },
  async run(servers, { operands: [name = '', typed = ''], options }) {
    const client = await settingsOf(servers)
    const { texts: known } = await client.read(operatorCall(), {})
    if (!known.some((text) => text.name === name)) throw new Error(`Names are ${known.map((text) => text.name).join(', ')}.`)
    const value = typedText(typed, options['file'] === true)
    const { texts } = await client.change(operatorCall(), { texts: [{ name, value, isStored: true }], staffId: '' })
    const changed = texts.find((text) => text.name === name)
    return { lines: changed ? [lineOf(changed)] : [], json: changed ?? null }
  },
}

const pictureLine = ({ kind, contentType, width, height }: InstancePicture) => [kind, contentType, `${width} × ${height}`].join('\t')

const PICTURES: readonly string[] = ['thumbnail', 'icon']

const picture: Subcommand = {
  usage: 'picture <kind> [file]',
  summary: 'Puts a picture (PNG, JPEG, WebP, 1 MB at most) in place of the thumbnail or the icon of the server.',
  options: { '--reset': 'back to the one that comes with the software' },
  async run(servers, { operands: [kind = '', file], options }) {
    const isReset = options['reset'] === true
    if (!PICTURES.includes(kind)) throw new Error(`There is no picture ${kind}: it is ${PICTURES.join(' or ')}.`)
    if (isReset === (file !== undefined)) throw new Error('Name a file, or --reset.')
    const request = { kind, content: file === undefined ? Buffer.alloc(0) : typedFile(file), staffId: '' }
    const { pictures } = await (await settingsOf(servers)).setPicture(operatorCall(), request)
    const lines = pictures.length > 0 ? pictures.map(pictureLine) : ['The pictures are those that come with the software.']
    return { lines, json: pictures }
  },
}

export const SETTING_COMMANDS: readonly Subcommand[] = [list, set, picture]

const ruleLine = ({ id, text, hint }: Rule) => [id, onOneLine(text), onOneLine(hint)].join('\t')
const rulesSaid = (rules: readonly Rule[]) => ({ lines: rules.length > 0 ? rules.map(ruleLine) : ['There are no rules.'], json: rules })

const readRules = async (servers: Servers): Promise<Rule[]> =>
  (await (await servers.of('federation', InstanceDefinition)).readRules(operatorCall(), {})).rules

const listRules: Subcommand = {
  usage: 'list',
  summary: 'Lists the rules of the server: number, rule, explanation.',
  run: async (servers) => rulesSaid(await readRules(servers)),
}

const HINT = { '--hint <text>': 'what explains it' }

const addRule: Subcommand = {
  usage: 'add <text>',
  summary: 'Adds a rule behind the others.',
  options: HINT,
  async run(servers, typed) {
    const request = { text: typed.operands[0] ?? '', hint: textOf(typed, 'hint'), staffId: '' }
    return rulesSaid((await (await settingsOf(servers)).createRule(operatorCall(), request)).rules)
  },
}

const changeRule: Subcommand = {
  usage: 'change <id> <text>',
  summary: 'Changes a rule; its explanation stays unless one is named, an empty one to have none.',
  options: HINT,
  async run(servers, typed) {
    const [id = '', text = ''] = typed.operands
    const before = typed.options['hint'] === undefined ? (await readRules(servers)).find((rule) => rule.id === id) : undefined
    const request = { id, text, hint: before?.hint ?? textOf(typed, 'hint'), staffId: '' }
    return rulesSaid((await (await settingsOf(servers)).changeRule(operatorCall(), request)).rules)
  },
}

const removeRule: Subcommand = {
  usage: 'remove <id>',
  summary: 'Removes a rule.',
  run: async (servers, { operands: [id = ''] }) =>
    rulesSaid((await (await settingsOf(servers)).deleteRule(operatorCall(), { id, staffId: '' })).rules),
}

export const RULE_COMMANDS: readonly Subcommand[] = [listRules, addRule, changeRule, removeRule]

const termsLine = ({ effectiveOn, isEffective, text }: TermsVersion) =>
  [effectiveOn, isEffective ? 'in force' : 'to come', `${[...text].length} characters`].join('\t')
const termsSaid = (versions: readonly TermsVersion[]) => ({
  lines: versions.length > 0 ? versions.map(termsLine) : ['There are no terms of service.'],
  json: versions,
})

const listTerms: Subcommand = {
  usage: 'list',
  summary: 'Lists the versions of the terms of service, the latest day first: day, state, length.',
  run: async (servers) => termsSaid((await (await settingsOf(servers)).listTerms(operatorCall(), {})).versions),
}

const publishTerms: Subcommand = {
  usage: 'publish <file>',
  summary: 'Publishes the text of a file as terms of service: from today on, or from another day.',
  options: { '--from <day>': 'the day from which they hold, as 2027-01-01' },
  async run(servers, typed) {
    const [file = ''] = typed.operands
    const request = { text: typedTextFile(file), effectiveOn: textOf(typed, 'from'), staffId: '' }
    return termsSaid((await (await settingsOf(servers)).publishTerms(operatorCall(), request)).versions)
  },
}

const removeTerms: Subcommand = {
  usage: 'remove <day>',
  summary: 'Deletes the version of a day.',
  run: async (servers, { operands: [effectiveOn = ''] }) =>
    termsSaid((await (await settingsOf(servers)).deleteTerms(operatorCall(), { effectiveOn, staffId: '' })).versions),
}

export const TERMS_COMMANDS: readonly Subcommand[] = [listTerms, publishTerms, removeTerms]
