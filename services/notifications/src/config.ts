import { secret, text } from '@rookery/runtime'

/** What a process that runs the module must be told; the module itself needs no settings. */
export const settings = {
  NOTIFICATIONS_DATABASE_URL: secret(text({ describe: 'Where the schema `notifications` is, with its role.' })),
}
