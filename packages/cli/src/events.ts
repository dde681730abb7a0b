import { type DeadLetter, DeadLettersDefinition } from '@rookery/contracts/events'
import type { Client } from '@rookery/rpc'
import { operatorCall } from './servers.ts'
import type { Subcommand } from './subcommand.ts'

const firstLine = (text: string) => text.split('\n')[0] ?? ''

const lineOf = ({ id, consumer, topic, key, failedAtMilliseconds, error, ...message }: DeadLetter) => {
  const what = message.isUnreadable ? `no event: ${message.preview}` : message.kind
  return [id, new Date(failedAtMilliseconds).toISOString(), consumer, topic, key, `${message.bytes} bytes`, what, firstLine(error)].join(
    '\t',
  )
}

const list: Subcommand = {
  usage: 'dead-letters',
  summary: 'Lists events that could not be acted on: id, time, consumer, topic, key, size, kind, error.',
  async run(servers) {
    const answers = await Promise.all((await servers.all(DeadLettersDefinition)).map((each) => each.list(operatorCall(), {})))
    const letters = answers.flatMap((answer) => answer.letters)
    return { lines: letters.map(lineOf), json: letters }
  },
}

/** The service that a letter's id begins with. */
const serviceOf = (id: string) => id.split(':')[0] ?? ''

const replay: Subcommand = {
  usage: 'replay [id]',
  summary: 'Has such an event, or all of them, acted on again by the consumer that could not.',
  options: { '--all': 'every dead letter' },
  async run(servers, { operands, options }) {
    const [id] = operands
    if (Boolean(id) === Boolean(options['all'])) throw new Error('Name either a dead letter or --all.')
    const clients = id ? [await servers.of(serviceOf(id), DeadLettersDefinition)] : await servers.all(DeadLettersDefinition)
    const answers = await Promise.all(clients.map((client) => client.replay(operatorCall(), { ids: id ? [id] : [] })))
    const replayed = answers.reduce((sum, answer) => sum + answer.replayed, 0)
    const failed = answers.flatMap((answer) => answer.failed)
    const lines = [...failed.map((each) => `${each.id}\t${firstLine(each.error)}`), `${replayed} replayed, ${failed.length} failed.`]
    return { lines, json: { replayed, failed }, hasFailed: failed.length > 0 }
  },
}

/** Discards until no letters are left. */
const discardAll = async (client: Client<typeof DeadLettersDefinition>, request: { onlyUnreadable: boolean }) => {
  const letters: DeadLetter[] = []
  for (let isMore = true; isMore; ) {
    const answer = await client.discard(operatorCall(), request)
    letters.push(...answer.letters)
    isMore = answer.isMore
  }
  return letters
}

const discard: Subcommand = {
  usage: 'discard [id]',
  summary: 'Deletes such an event without acting on it, all that are no events, or all of them, and prints what they were.',
  options: { '--all': 'every dead letter', '--unreadable': 'every dead letter that is not an event' },
  async run(servers, { operands, options }) {
    const [id] = operands
    const [all, onlyUnreadable] = [Boolean(options['all']), Boolean(options['unreadable'])]
    if ([Boolean(id), all, onlyUnreadable].filter(Boolean).length !== 1)
      throw new Error('Name either a dead letter, --unreadable or --all.')
    const letters = id
      ? (await (await servers.of(serviceOf(id), DeadLettersDefinition)).discard(operatorCall(), { ids: [id] })).letters
      : (await Promise.all((await servers.all(DeadLettersDefinition)).map((client) => discardAll(client, { onlyUnreadable })))).flat()
    return { lines: [...letters.map(lineOf), `${letters.length} discarded.`], json: letters }
  },
}

export const EVENT_COMMANDS: readonly Subcommand[] = [list, replay, discard]
