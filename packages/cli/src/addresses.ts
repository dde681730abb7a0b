import {
  CanonicalEmailBlocksDefinition,
  EmailDomainBlocksDefinition,
  type IpBlock,
  type IpBlockSettings,
  IpBlocksDefinition,
} from '@rookery/contracts/auth'
import { everyRecord } from './every-record.ts'
import { operatorCall, type Servers } from './servers.ts'
import { type ParsedArguments, type Subcommand, textOf } from './subcommand.ts'

const providersOf = (servers: Servers) => servers.of('auth', EmailDomainBlocksDefinition)
const networksOf = (servers: Servers) => servers.of('auth', IpBlocksDefinition)
const mailboxesOf = (servers: Servers) => servers.of('auth', CanonicalEmailBlocksDefinition)

const everyProvider = async (servers: Servers) => {
  const client = await providersOf(servers)
  return everyRecord(async (page) => {
    const { blocks, cursors } = await client.list(operatorCall(), { page })
    return { records: blocks, cursors }
  })
}

const everyNetwork = async (servers: Servers) => {
  const client = await networksOf(servers)
  return everyRecord(async (page) => {
    const { blocks, cursors } = await client.list(operatorCall(), { page })
    return { records: blocks, cursors }
  })
}

const everyMailbox = async (servers: Servers) => {
  const client = await mailboxesOf(servers)
  return everyRecord(async (page) => {
    const { blocks, cursors } = await client.list(operatorCall(), { page })
    return { records: blocks, cursors }
  })
}

const NONE = ['Nothing is blocked.']

const listProviders: Subcommand = {
  usage: 'email-domains',
  summary: 'Lists blocked e-mail providers: domain, sign-ups that were refused in seven days.',
  async run(servers) {
    const blocks = await everyProvider(servers)
    const lines = blocks.map(({ domain, history }) => `${domain}\t${history.reduce((sum, { uses }) => sum + uses, 0)}`)
    return { lines: lines.length > 0 ? lines : NONE, json: blocks }
  },
}

const blockProvider: Subcommand = {
  usage: 'block-email-domain <domain>',
  summary: 'Lets no one sign up with addresses of a domain, those below it, and domains whose mail it takes.',
  async run(servers, { operands }) {
    const block = await (await providersOf(servers)).create(operatorCall(), { domain: operands[0] ?? '', staffId: '' })
    return { lines: [`${block.domain} is blocked.`], json: block }
  },
}

const unblockProvider: Subcommand = {
  usage: 'unblock-email-domain <domain>',
  summary: 'Ends such a block.',
  async run(servers, { operands: [typed = ''] }) {
    const block = (await everyProvider(servers)).find(({ domain }) => domain === typed.trim().toLowerCase())
    if (!block) throw new Error(`${typed} is not blocked.`)
    await (await providersOf(servers)).delete(operatorCall(), { id: block.id, staffId: '' })
    return { lines: [`${block.domain} is not blocked any more.`], json: block }
  },
}

const timeOf = (milliseconds: number | undefined) => (milliseconds === undefined ? 'for good' : new Date(milliseconds).toISOString())

const networkLine = ({ network, severity, expiresAtMilliseconds, comment }: IpBlock) =>
  [network, severity, timeOf(expiresAtMilliseconds), comment].join('\t')

const listNetworks: Subcommand = {
  usage: 'networks',
  summary: 'Lists blocked networks: network, severity, end, comment.',
  async run(servers) {
    const blocks = await everyNetwork(servers)
    return { lines: blocks.length > 0 ? blocks.map(networkLine) : NONE, json: blocks }
  },
}

const NETWORK_OPTIONS = {
  '--severity <severity>': 'sign_up_requires_approval, sign_up_block or no_access',
  '--hours <hours>': 'how long it lasts; 0 for good',
  '--comment <text>': 'for staff',
}

/** @throws Error if the hours are not a number */
const networkSettings = (typed: ParsedArguments): Omit<IpBlockSettings, 'network'> => {
  const hours = textOf(typed, 'hours')
  if (hours && !/^\d+$/.test(hours)) throw new Error('--hours takes a whole number.')
  const comment = typed.options['comment']
  return {
    severity: textOf(typed, 'severity') || undefined,
    comment: typeof comment === 'string' ? comment : undefined,
    expiresInSeconds: hours ? Number(hours) * 3600 : undefined,
    callerAddress: '',
    staffId: '',
  }
}

/** @throws Error if the network is not blocked */
const networkNamed = async (servers: Servers, { operands: [typed = ''] }: ParsedArguments): Promise<IpBlock> => {
  const block = (await everyNetwork(servers)).find(
    ({ network }) => network === typed || network === `${typed}/32` || network === `${typed}/128`,
  )
  if (!block) throw new Error(`${typed} is not blocked.`)
  return block
}

const blockNetwork: Subcommand = {
  usage: 'block-network <network>',
  summary: 'Keeps an address or a network (192.0.2.0/24) from signing up, or out; without --severity no one signs up from there.',
  options: NETWORK_OPTIONS,
  async run(servers, typed) {
    const settings = networkSettings(typed)
    const request = { ...settings, network: typed.operands[0] ?? '', severity: settings.severity ?? 'sign_up_block' }
    const block = await (await networksOf(servers)).create(operatorCall(), request)
    return { lines: [`${block.network} is blocked: ${block.severity}.`], json: block }
  },
}

const changeNetwork: Subcommand = {
  usage: 'change-network <network>',
  summary: 'Changes such a block; what is not named stays.',
  options: NETWORK_OPTIONS,
  async run(servers, typed) {
    const { id } = await networkNamed(servers, typed)
    const block = await (await networksOf(servers)).change(operatorCall(), { id, settings: networkSettings(typed) })
    return { lines: [networkLine(block)], json: block }
  },
}

const unblockNetwork: Subcommand = {
  usage: 'unblock-network <network>',
  summary: 'Ends such a block.',
  async run(servers, typed) {
    const block = await networkNamed(servers, typed)
    await (await networksOf(servers)).delete(operatorCall(), { id: block.id, staffId: '' })
    return { lines: [`${block.network} is not blocked any more.`], json: block }
  },
}

const listMailboxes: Subcommand = {
  usage: 'mailboxes',
  summary: 'Lists blocked mailboxes: number, hash. Only hashes are stored.',
  async run(servers) {
    const blocks = await everyMailbox(servers)
    return { lines: blocks.length > 0 ? blocks.map(({ id, hash }) => `${id}\t${hash}`) : NONE, json: blocks }
  },
}

/** A SHA-256 digest, as servers exchange them. */
const HASH = /^[0-9a-f]{64}$/i

const blockMailbox: Subcommand = {
  usage: 'block-mailbox <address-or-hash>',
  summary: 'Lets no one sign up with a mailbox, however the address is spelled; a hash is that of another server.',
  async run(servers, { operands: [typed = ''] }) {
    if (!typed.includes('@') && !HASH.test(typed)) throw new Error(`${typed} is neither an address nor the hash of one.`)
    const given = typed.includes('@') ? { email: typed, hash: '' } : { email: '', hash: typed.toLowerCase() }
    const block = await (await mailboxesOf(servers)).create(operatorCall(), { ...given, staffId: '' })
    return { lines: [`Mailbox ${block.id} is blocked.`], json: block }
  },
}

const testMailbox: Subcommand = {
  usage: 'test-mailbox <address>',
  summary: 'Says whether a mailbox is blocked.',
  async run(servers, { operands: [email = ''] }) {
    const { blocks } = await (await mailboxesOf(servers)).test(operatorCall(), { email })
    return { lines: [blocks.length > 0 ? `It is blocked: ${blocks.map(({ id }) => id).join(', ')}.` : 'It is not blocked.'], json: blocks }
  },
}

const unblockMailbox: Subcommand = {
  usage: 'unblock-mailbox <address-or-number>',
  summary: 'Ends such a block.',
  async run(servers, { operands: [typed = ''] }) {
    const client = await mailboxesOf(servers)
    const ids = typed.includes('@') ? (await client.test(operatorCall(), { email: typed })).blocks.map(({ id }) => id) : [typed]
    const [id] = ids
    if (!id) throw new Error('It is not blocked.')
    await client.delete(operatorCall(), { id, staffId: '' })
    return { lines: [`Mailbox ${id} is not blocked any more.`], json: { id } }
  },
}

export const ADDRESS_COMMANDS: readonly Subcommand[] = [
  listProviders,
  blockProvider,
  unblockProvider,
  listNetworks,
  blockNetwork,
  changeNetwork,
  unblockNetwork,
  listMailboxes,
  blockMailbox,
  testMailbox,
  unblockMailbox,
]
