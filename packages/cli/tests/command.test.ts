import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CreateAccountRequest, type Login, LoginOperatorDefinition } from '@rookery/contracts/auth'
import { type DeadLetter, DeadLettersDefinition } from '@rookery/contracts/events'
import { Failure } from '@rookery/failures'
import { type Handler, handler, serve } from '@rookery/rpc'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runCommand } from '../src/index.ts'

const login = (username: string, given: Partial<Login> = {}): Login => ({
  accountId: '7',
  username,
  email: `${username}@example.org`,
  role: 'user',
  isConfirmed: true,
  isApproved: true,
  isDisabled: false,
  isSuspended: false,
  isMemorial: false,
  createdAtMilliseconds: 0,
  ...given,
})

const letter = (id: string): DeadLetter => ({
  id,
  consumer: 'statuses.fan-out',
  eventId: '',
  topic: 'statuses.v1',
  key: '7',
  kind: 'statusPublished',
  error: 'no room\n at a line',
  failedAtMilliseconds: 0,
  bytes: 120,
  isUnreadable: false,
  preview: '',
})

const ACT = {
  staffId: '5',
  staffUsername: 'mod',
  action: 'silence',
  accountId: '8',
  username: 'joel',
  target: '',
  text: '',
  reportId: '',
  createdAtMilliseconds: 0,
}

describe('the operator’s command', () => {
  let dataDir: string
  let asked: CreateAccountRequest[]
  let revoked: string[]
  const servers: { stop(grace?: number): Promise<void> }[] = []

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'command-'))
    asked = []
    revoked = []
  })
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.stop(0)))
    rmSync(dataDir, { recursive: true })
  })

  const logins = handler(LoginOperatorDefinition, {
    createAccount: async (_call, request) => {
      asked.push(request)
      if (request.username === 'taken') throw new Failure('invalid', 'Validation failed: Username has already been taken')
      const { username, password, tokenScopes } = request
      return { login: login(username), password: password ? '' : 'made-up', accessToken: tokenScopes ? 'token-7' : '' }
    },
    actOnStatuses: async (_call, { statusIds }) => ({ statusIds }),
    listAccounts: async (_call, { page }) => {
      const first = Number(page?.maxId ?? 251) - 1
      const ids = Array.from({ length: Math.min(page?.limit ?? 0, first) }, (_, index) => String(first - index))
      return { logins: ids.map((accountId) => login(`user${accountId}`, { accountId })) }
    },
    listActs: async () => ({
      acts: [
        { ...ACT, id: '2', text: 'too\n\u001b[2Jloud', reportId: '7' },
        { ...ACT, id: '1', staffId: '', staffUsername: '', action: 'enable', username: '' },
      ],
    }),
    setDisabled: async (_call, { username, isDisabled }) => login(username, { isDisabled }),
    setSilenced: async (_call, { username }) => login(username),
    setSuspended: async (_call, { username, isSuspended }) => login(username, { isSuspended }),
    setMemorial: async (_call, { username, isMemorial }) => login(username, { isMemorial }),
    revokeToken: async (_call, { username, accessToken }) => {
      revoked.push(accessToken)
      return { count: username ? 3 : 1 }
    },
    readAccount: async (_call, { username }) => ({
      login: login(username, { isApproved: false }),
      reason: 'tea',
      locale: 'en',
      lastSignInAtMilliseconds: undefined,
      apps: 2,
      browsers: 1,
      hasSecondFactor: true,
    }),
    setRole: async (_call, { username, role }) => login(username, { role }),
    disableSecondFactor: async (_call, { username }) => login(username),
    resetPassword: async (_call, { byMail }) => ({ link: byMail ? '' : 'https://birds.example/link' }),
    deleteAccount: async (_call, { username }) => login(username),
    approve: async (_call, { username }) => login(username),
    reject: async (_call, { username }) => {
      if (username === 'mara') throw new Failure('forbidden', 'The account mara does not wait for approval')
      return login(username)
    },
  })
  const unreadable = [1, 2]
  const letters = (service: string) =>
    handler(DeadLettersDefinition, {
      list: async () => ({ letters: [letter(`${service}:1`)] }),
      replay: async (_call, { ids }) => ({ replayed: 1, failed: ids.map((id) => ({ id, error: `${service} says no` })) }),
      // Two unreadable letters, discarded one per call; and any letter that is named.
      discard: async (_call, { ids, onlyUnreadable }) => {
        const isMore = onlyUnreadable && unreadable.length > 1
        const found = ids.length > 0 ? ids : unreadable.splice(-1).map((number) => `${service}:${number}`)
        const what = { bytes: 7, isUnreadable: true, preview: '\\x1b[2Jbad', error: 'The message is no envelope' }
        return { letters: found.map((id) => ({ ...letter(id), ...what })), isMore }
      },
    })
  const start = async (name: string, ...handlers: Handler[]) => {
    servers.push(await serve(handlers, `unix:${join(dataDir, name)}`))
  }
  const run = async (...words: string[]) => {
    const [printed, complained]: [string[], string[]] = [[], []]
    const code = await runCommand(words, { print: (line) => printed.push(line), complain: (line) => complained.push(line) }, dataDir)
    return { code, printed, complained }
  }

  test.each([
    [['accounts', 'role', 'mara', 'admin'], 'The account mara is admin.'],
    [['accounts', 'reset-password', 'mara'], 'https://birds.example/link'],
    [['accounts', 'reset-password', 'mara', '--mail'], 'A link is on its way.'],
    [['accounts', 'disable-second-factor', 'mara'], 'The second factor of mara is off.'],
    [['accounts', 'approve', 'joel'], 'The sign-up of joel is approved.'],
    [['accounts', 'reject', 'joel'], 'The sign-up of joel is rejected.'],
    [['accounts', 'delete', 'mara', '--confirm', 'mara'], 'The account mara is deleted.'],
  ])('says what was done: %j', async (words, line) => {
    await start('operator.sock', logins)
    expect(await run(...words)).toEqual({ code: 0, printed: [line], complained: [] })
  })

  test.each([
    [['accounts', 'delete', 'mara'], 'This cannot be undone. To go on, add: --confirm mara'],
    [['accounts', 'delete', 'mara', '--confirm', 'mary'], 'This cannot be undone. To go on, add: --confirm mara'],
    [['accounts', 'reject', 'mara'], 'The account mara does not wait for approval'],
    [['accounts', 'role', 'mara'], "error: missing required argument 'role'"],
    [['accounts', 'creat', 'mara'], "error: unknown command 'creat'\n(Did you mean create?)"],
    [['accounts', 'list', '--loud'], "error: unknown option '--loud'"],
    [['reports', 'resolve', '7', '8'], "error: too many arguments for 'resolve'. Expected 1 argument but got 2: 7, 8."],
    [['\u001b[2J'], "error: unknown command '\\u001b[2J'"],
  ])('says why it was not done: %j', async (words, line) => {
    await start('operator.sock', logins)
    expect(await run(...words)).toEqual({ code: 1, printed: [], complained: [line] })
  })

  test('shows one account, to people and to scripts', async () => {
    await start('operator.sock', logins)
    const { printed } = await run('accounts', 'show', 'mara')
    expect(printed).toEqual([
      'mara\t7',
      'Address\tmara@example.org',
      'Role\tuser',
      'State\twaits for approval',
      'Since\t1970-01-01T00:00:00.000Z',
      'Last sign-in\tnever',
      'Language\ten',
      'Apps\t2',
      'Browsers\t1',
      'Second factor\ton',
      'Reason\ttea',
    ])
    expect(JSON.parse((await run('accounts', 'show', 'mara', '--json')).printed[0] ?? '')).toMatchObject({
      login: { username: 'mara' },
      apps: 2,
    })
  })

  test('makes an account and says what it made up; the token is the last line', async () => {
    await start('operator.sock', logins)
    const made = await run(
      'accounts',
      'create',
      'ann',
      '--email',
      'ann@example.org',
      '--role',
      'owner',
      '--confirmed',
      '--token',
      'read write',
    )
    expect(made).toEqual({ code: 0, complained: [], printed: [expect.stringContaining('ann'), 'Password: made-up', 'token-7'] })
    expect(asked).toEqual([
      { username: 'ann', email: 'ann@example.org', password: '', role: 'owner', confirmed: true, tokenScopes: 'read write' },
    ])
    const given = await run('accounts', 'create', 'ann', '--email', 'a@b', '--password', 'chosen')
    expect(given.printed).toHaveLength(1)
  })

  test('prints one line of JSON for scripts', async () => {
    await start('operator.sock', logins)
    const { printed } = await run('accounts', 'create', 'ann', '--email', 'a@b', '--token', 'read', '--json')
    expect(printed).toHaveLength(1)
    expect(JSON.parse(printed[0]!)).toMatchObject({ login: { accountId: '7' }, password: 'made-up', accessToken: 'token-7' })
  })

  test('lists every account, however many pages they fill', async () => {
    await start('operator.sock', logins)
    const { printed } = await run('accounts', 'list')
    expect(printed).toHaveLength(250)
    expect(printed[0]).toBe('250\tuser250\tuser250@example.org\tuser\tactive')
  })

  test('lists what staff and operators did, an act a line', async () => {
    await start('operator.sock', logins)
    expect((await run('audit', 'list')).printed).toEqual([
      '2  1970-01-01T00:00:00.000Z  mod  silence  joel  report 7  too [2Jloud',
      '1  1970-01-01T00:00:00.000Z  operator  enable  8',
    ])
    expect(JSON.parse((await run('audit', 'list', '--json')).printed.join())).toMatchObject([{ id: '2' }, { id: '1' }])
  })

  test.each([
    ['a dash', '-vdrcHGJHrwQ24b3'],
    ['two dashes', '--drcHGJHrwQ24b3'],
    ['the letter of an option after a dash', '-hdrcHGJHrwQ24b3'],
  ])('revokes a token that begins with %s', async (_what, token) => {
    await start('operator.sock', logins)
    expect(await run('tokens', 'revoke', token)).toMatchObject({ code: 0, printed: ['1 revoked.'] })
    expect(JSON.parse((await run('tokens', 'revoke', token, '--json')).printed.join(''))).toEqual({ count: 1 })
    expect(JSON.parse((await run('tokens', 'revoke', '--json', token)).printed.join(''))).toEqual({ count: 1 })
    expect(revoked).toEqual([token, token, token])
  })

  test('says so of an option that it does not know, and revokes nothing', async () => {
    await start('operator.sock', logins)
    expect((await run('accounts', 'create', 'ann', '--rool', 'owner')).complained).toEqual([
      "error: unknown option '--rool'\n(Did you mean --role?)",
    ])
    expect((await run('tokens', 'revoke', '--acount', 'ann')).code).toBe(1)
    expect(await run('tokens', 'revoke', '--acount=ann')).toEqual({ code: 1, printed: [], complained: ['That is no token.'] })
    expect(revoked).toEqual([])
  })

  test('disables, enables and revokes', async () => {
    await start('operator.sock', logins)
    expect((await run('accounts', 'disable', 'ann')).printed).toEqual(['The account ann is disabled.'])
    expect((await run('accounts', 'silence', 'ann')).printed).toEqual(['The account ann is silenced.'])
    expect((await run('accounts', 'unsilence', 'ann')).printed).toEqual(['The account ann is silenced no more.'])
    expect((await run('accounts', 'suspend', 'ann')).printed).toEqual(['The account ann is suspended.'])
    expect((await run('accounts', 'unsuspend', 'ann')).printed).toEqual(['The account ann is suspended no more.'])
    expect((await run('accounts', 'enable', 'ann')).printed).toEqual(['The account ann is active.'])
    expect((await run('tokens', 'revoke', 'abc')).printed).toEqual(['1 revoked.'])
    expect((await run('tokens', 'revoke', '--account', 'ann')).printed).toEqual(['3 revoked.'])
    expect((await run('tokens', 'revoke')).code).toBe(1)
  })

  test('finds services that run on their own, each by its name', async () => {
    await start('auth.operator.sock', logins)
    await start('statuses.operator.sock', letters('statuses'))
    await start('media.operator.sock', letters('media'))
    servers.push(await serve([letters('auth')], '127.0.0.1:0'))
    expect((await run('accounts', 'disable', 'ann')).code).toBe(0)
    expect((await run('events', 'replay', 'media:1')).printed).toEqual(['media:1\tmedia says no', '1 replayed, 1 failed.'])
    expect((await run('events', 'replay', 'media:1')).code).toBe(1)
    expect((await run('events', 'replay', 'notifications:1')).complained[0]).toContain('The service notifications of the server')
  })

  test('lists the dead letters of every process', async () => {
    await start('statuses.operator.sock', letters('statuses'))
    await start('media.operator.sock', letters('media'))
    const { printed } = await run('events', 'dead-letters')
    expect(printed.sort()).toEqual([
      'media:1\t1970-01-01T00:00:00.000Z\tstatuses.fan-out\tstatuses.v1\t7\t120 bytes\tstatusPublished\tno room',
      'statuses:1\t1970-01-01T00:00:00.000Z\tstatuses.fan-out\tstatuses.v1\t7\t120 bytes\tstatusPublished\tno room',
    ])
    expect((await run('events', 'replay', '--all')).printed).toEqual(['2 replayed, 0 failed.'])
  })

  test('discards what is no event, call after call, and says what it was', async () => {
    await start('statuses.operator.sock', letters('statuses'))
    const { code, printed } = await run('events', 'discard', '--unreadable')
    const what = (id: number) =>
      `statuses:${id}\t1970-01-01T00:00:00.000Z\tstatuses.fan-out\tstatuses.v1\t7\t7 bytes\tno event: \\x1b[2Jbad\tThe message is no envelope`
    expect({ code, printed }).toEqual({ code: 0, printed: [what(2), what(1), '2 discarded.'] })
    expect((await run('events', 'discard', 'statuses:9')).printed.at(-1)).toBe('1 discarded.')
  })

  test('prints nothing that a terminal obeys, for people and for scripts', async () => {
    const loud = { ...letter('statuses:1'), key: '\u001b]0;mine\u0007', error: '\u009b31m\u202eno' }
    await start(
      'operator.sock',
      handler(DeadLettersDefinition, {
        list: async () => ({ letters: [loud] }),
        replay: async () => ({ replayed: 0, failed: [] }),
        discard: async () => ({ letters: [], isMore: false }),
      }),
    )
    const [line] = (await run('events', 'dead-letters')).printed
    expect(line).toContain('\\u001b]0;mine\\u0007\t')
    expect(line).toMatch(/\\u009b31m\\u202eno$/)
    const [json] = (await run('events', 'dead-letters', '--json')).printed
    expect(json).toMatch(/^[\t -~]+$/)
    expect(JSON.parse(json!)).toEqual([loud])
  })

  test('says so when the server does not run', async () => {
    const { code, complained } = await run('accounts', 'list')
    expect(code).toBe(1)
    expect(complained).toEqual([expect.stringContaining('is not running. Start it with npm start')])
  })

  test('passes on what the server refuses', async () => {
    await start('operator.sock', logins)
    const { code, complained } = await run('accounts', 'create', 'taken', '--email', 'a@b')
    expect({ code, complained }).toEqual({ code: 1, complained: ['Validation failed: Username has already been taken'] })
  })

  test.each([
    [['accounts', 'create']],
    [['accounts', 'creat', 'ann']],
    [['accounts', 'list', '--loud']],
    [['events', 'replay', 'a:1', '--all']],
    [['events', 'discard']],
    [['events', 'discard', 'a:1', '--unreadable']],
    [[]],
  ])('is not to be used like this: %j', async (words) => {
    await start('operator.sock', logins, letters('statuses'))
    expect((await run(...words)).code).toBe(1)
  })

  test.each([
    [['--help'], ['rookery [options] [command]', 'accounts', 'events', 'DATA_DIR']],
    [
      ['accounts', '--help'],
      ['rookery accounts', 'create [options] <name>', 'Opens an account'],
    ],
    [
      ['accounts', 'create', '--help'],
      ['create [options] <name>', '--email <address>', '--json'],
    ],
  ])('explains itself: %j', async (words, said) => {
    const { code, printed } = await run(...words)
    expect(code).toBe(0)
    for (const each of said) expect(printed.join('\n')).toContain(each)
  })
})
