import { type FailedJob, FailedJobsDefinition } from '@rookery/contracts/events'
import { operatorCall, type Servers } from './servers.ts'
import type { CommandOutput, ParsedArguments, Subcommand } from './subcommand.ts'

const firstLine = (text: string) => text.split('\n')[0] ?? ''

const lineOf = ({ id, job, attempts, error, failedAtMilliseconds }: FailedJob) =>
  [id, new Date(failedAtMilliseconds).toISOString(), job, `${attempts} tries`, firstLine(error)].join('\t')

const list: Subcommand = {
  usage: 'list',
  summary: 'Lists jobs that failed as often as they may: id, time, job, tries, error.',
  async run(servers) {
    const answers = await Promise.all((await servers.all(FailedJobsDefinition)).map((each) => each.list(operatorCall(), {})))
    const jobs = answers.flatMap((answer) => answer.jobs)
    return { lines: jobs.length > 0 ? jobs.map(lineOf) : ['No job has failed for good.'], json: jobs }
  },
}

/** Applies the act to one job or to all. @throws Error if neither is named */
const acting = async (
  servers: Servers,
  { operands: [id], options }: ParsedArguments,
  act: 'retry' | 'discard',
  done: string,
): Promise<CommandOutput> => {
  if (Boolean(id) === Boolean(options['all'])) throw new Error('Name either a job or --all.')
  const clients = id ? [await servers.of(id.split(':')[0] ?? '', FailedJobsDefinition)] : await servers.all(FailedJobsDefinition)
  const answers = await Promise.all(clients.map((client) => client[act](operatorCall(), { ids: id ? [id] : [] })))
  const count = answers.reduce((sum, answer) => sum + answer.count, 0)
  return { lines: [`${count} ${done}.`], json: { count } }
}

const ALL = { '--all': 'every failed job' }

const retry: Subcommand = {
  usage: 'retry [id]',
  summary: 'Makes a failed job, or all of them, due again with all their tries.',
  options: ALL,
  run: (servers, typed) => acting(servers, typed, 'retry', 'due again'),
}

const discard: Subcommand = {
  usage: 'discard [id]',
  summary: 'Deletes a failed job, or all of them.',
  options: ALL,
  run: (servers, typed) => acting(servers, typed, 'discard', 'discarded'),
}

export const JOB_COMMANDS: readonly Subcommand[] = [list, retry, discard]
