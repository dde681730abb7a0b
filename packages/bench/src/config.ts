import { parseArgs } from 'node:util'

/** What is measured, and how long each line takes. */
export type Options = { isApart: boolean; seconds: number; only: string; port: number; path: string }

/** Reads the command's parameters: --services, --seconds N, --only WORD, --port N. */
export const readOptions = (args: string[]): Options => {
  const { values } = parseArgs({
    args,
    options: {
      services: { type: 'boolean', default: false },
      seconds: { type: 'string', default: '8' },
      only: { type: 'string', default: '' },
      port: { type: 'string', default: '3999' },
    },
  })
  return {
    isApart: values.services,
    seconds: Number(values.seconds),
    only: values.only,
    port: Number(values.port),
    path: process.env['PATH'] ?? '',
  }
}
