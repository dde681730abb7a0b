import { Person } from '@rookery/test-world'
import { runCommand } from '../packages/cli/src/index.ts'

/** Someone with an account on a server that runs on its own, made by the operator's command. */
export const personOf = async (
  server: { origin: string; dataDir: string },
  username: string,
  more: readonly string[] = [],
): Promise<Person> => {
  const lines: string[] = []
  const terminal = { print: (line: string) => lines.push(line), complain: (line: string) => lines.push(line) }
  const words = [
    'accounts',
    'create',
    username,
    '--email',
    `${username}@example.org`,
    '--confirmed',
    '--token',
    'read write follow push',
    '--json',
    ...more,
  ]
  const code = await runCommand(words, terminal, server.dataDir)
  if (code !== 0) throw new Error(lines.join('\n'))
  const { login, accessToken } = JSON.parse(lines[0] ?? '{}') as { login: { accountId: string }; accessToken: string }
  return new Person({ id: login.accountId, username, token: accessToken, origin: server.origin })
}
