import { parseArgs } from 'node:util'

/** What is measured, and how long each line takes. */
export const readOptions = () => {
  const { values } = parseArgs({
    args: process.argv.slice(2),
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
