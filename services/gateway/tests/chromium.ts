import { type ChildProcess, spawn } from 'node:child_process'
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { Readable, Writable } from 'node:stream'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome']

const isRunnable = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The path of Chromium, if it is installed. */
export const chromiumFile = (process.env['PATH'] ?? '')
  .split(delimiter)
  .flatMap((folder) => NAMES.map((name) => join(folder, name)))
  .find(isRunnable)

const ARGUMENTS = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--remote-debugging-pipe',
  'about:blank',
]

// biome-ignore lint/suspicious/noExplicitAny: the protocol's answers differ by method
type Answer = any

/** A client of the DevTools protocol over pipes: JSON messages, each followed by a NUL. */
const connect = (browser: ChildProcess) => {
  const [input, output] = [browser.stdio[3] as Writable, browser.stdio[4] as Readable]
  const waiting = new Map<number, { resolve: (result: Answer) => void; reject: (error: Error) => void }>()
  const listeners = new Set<(message: Answer) => void>()
  let [count, rest] = [0, '']
  const failAll = (error: Error) => {
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }
  input.on('error', failAll)
  output.on('error', failAll)
  browser.once('exit', () => failAll(new Error('Chromium ended')))
  output.setEncoding('utf8').on('data', (chunk: string) => {
    const messages = (rest + chunk).split('\0')
    rest = messages.pop() ?? ''
    for (const message of messages.map((text) => JSON.parse(text))) {
      for (const listener of listeners) listener(message)
      const asked = waiting.get(message.id)
      waiting.delete(message.id)
      if (message.error) asked?.reject(new Error(message.error.message))
      else asked?.resolve(message.result)
    }
  })
  const send = (method: string, params: object = {}, sessionId?: string): Promise<Answer> =>
    new Promise((resolve, reject) => {
      waiting.set(++count, { resolve, reject })
      input.write(`${JSON.stringify({ id: count, method, params, sessionId })}\0`)
    })
  const next = (method: string, sessionId: string): Promise<void> =>
    new Promise((resolve) => {
      const listener = (message: Answer) => {
        if (message.method !== method || message.sessionId !== sessionId) return
        listeners.delete(listener)
        resolve()
      }
      listeners.add(listener)
    })
  return { send, next }
}

/** The display of a page. */
export type View = { width: number; height: number; isDark?: boolean; language?: string }

/** A headless Chromium with one tab. */
export const openChromium = async (file: string) => {
  const folder = mkdtempSync(join(tmpdir(), 'rookery-chromium-'))
  const browser = spawn(file, [`--user-data-dir=${folder}`, ...ARGUMENTS], { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] })
  const { send, next } = connect(browser)
  const { targetId } = await send('Target.createTarget', { url: 'about:blank' })
  const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true })
  const inTab = (method: string, params: object = {}) => send(method, params, sessionId)
  await inTab('Page.enable')
  await inTab('Network.enable')
  return {
    /** Opens a URL; resolves when it is loaded. */
    async show(address: string, { width, height, isDark = false, language = 'en' }: View) {
      await inTab('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: width < 600 })
      await inTab('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: isDark ? 'dark' : 'light' }] })
      await inTab('Network.setExtraHTTPHeaders', { headers: { 'Accept-Language': language } })
      const loaded = next('Page.loadEventFired', sessionId)
      await inTab('Page.navigate', { url: address })
      await loaded
    },
    /** Sets a cookie of an origin. */
    async keepCookie(origin: string, name: string, value: string) {
      await inTab('Network.setCookie', { url: origin, name, value })
    },
    /** Evaluates an expression in the page, and awaits it. */
    async evaluate(expression: string): Promise<Answer> {
      const { result, exceptionDetails } = await inTab('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true })
      if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
      return result.value
    },
    /** Evaluates an expression that navigates; resolves when the next page is loaded. */
    async follow(expression: string): Promise<void> {
      const loaded = next('Page.loadEventFired', sessionId)
      await inTab('Runtime.evaluate', { expression })
      await loaded
    },
    /** Adds an authenticator with user verification that approves everything. */
    async addAuthenticator(): Promise<void> {
      await inTab('WebAuthn.enable')
      const options = {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      }
      await inTab('WebAuthn.addVirtualAuthenticator', { options })
    },
    /** Turns JavaScript off or on. */
    async setScripts(isOn: boolean): Promise<void> {
      await inTab('Emulation.setScriptExecutionDisabled', { value: !isOn })
    },
    /** Deletes all cookies. */
    async forgetCookies(): Promise<void> {
      await inTab('Network.clearBrowserCookies')
    },
    /** The whole page as PNG. */
    async picture(): Promise<Buffer> {
      return Buffer.from((await inTab('Page.captureScreenshot', { captureBeyondViewport: true })).data, 'base64')
    },
    async close() {
      const ended = new Promise((resolve) => browser.once('exit', resolve))
      await send('Browser.close').catch(() => browser.kill('SIGKILL'))
      await ended
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
