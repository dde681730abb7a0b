import { Person } from '@rookery/test-world'
import { kubectl } from './programs.ts'

/** Someone with an account on a release, made by the operator's command in a pod of auth. */
export const personIn = async (namespace: string, origin: string, username: string): Promise<Person> => {
  const words = ['accounts', 'create', username, '--email', `${username}@example.org`, '--confirmed', '--json']
  const token = ['--token', 'read write follow push']
  const inPod = ['exec', '--namespace', namespace, 'deployment/rookery-auth', '--container', 'auth', '--', 'rookery']
  const { login, accessToken } = JSON.parse(await kubectl(...inPod, ...words, ...token)) as {
    login: { accountId: string }
    accessToken: string
  }
  return new Person({ id: login.accountId, username, token: accessToken, origin })
}
