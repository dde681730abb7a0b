import { type DeadLetter, DeadLettersDefinition } from '@rookery/contracts/events'
import { operatorCall } from './servers.ts'
import type { Subcommand } from './subcommand.ts'

const firstLine = (text: string) => text.split('\n')[0] ?? ''

const lineOf = ({ id, consumer, kind, key, failedAtMilliseconds, error }: DeadLetter) =>
  [id, new Date(failedAtMilliseconds).toISOString(), consumer, kind, key, firstLine(error)].join('\t')

const list: Subcommand = {
  name: 'events dead-letters',
  usage: '',
  summary: 'Lists facts that could not be acted on: id, time, consumer, kind, key, error.',
  operands: [0, 0],
  async run(servers) {
    const answers = await Promise.all((await servers.all(DeadLettersDefinition)).map((each) => each.list(operatorCall(), {})))
    const letters = answers.flatMap((answer) => answer.letters)
    return { lines: letters.map(lineOf), json: letters }
  },
}

/** The service a letter's id begins with. */
const serviceOf = (id: string) => id.split(':')[0] ?? ''

const replay: Subcommand = {
  name: 'events replay',
  usage: 'ID | --all',
  summary: 'Has such a fact, or all of them, acted on again by the consumer that could not.',
  operands: [0, 1],
  options: { all: { type: 'boolean' } },
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

export const EVENT_COMMANDS: readonly Subcommand[] = [list, replay]
