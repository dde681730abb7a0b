import { spawn } from 'node:child_process'

/** Runs a program to its end and gives what it printed. @throws Error with what it complained of */
export const run = (program: string, words: readonly string[], input = ''): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, words)
    let output = ''
    let complaint = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      complaint += text
    })
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0) resolve(output)
      else reject(new Error(`${program} ${words.join(' ')} ended with ${code}:\n${complaint}${output}`))
    })
    child.stdin.on('error', () => {})
    child.stdin.end(input)
  })

export const kubectl = (...words: string[]): Promise<string> => run('kubectl', words)
export const helm = (...words: string[]): Promise<string> => run('helm', words)

// biome-ignore lint/suspicious/noExplicitAny: any answer of Kubernetes
export type Json = any

/** Objects of the cluster, or one of them. */
export const get = async (...words: string[]): Promise<Json> => JSON.parse(await kubectl('get', ...words, '--output', 'json'))

/** Makes or changes objects. */
export const apply = (namespace: string, ...objects: (string | object)[]): Promise<string> => {
  const text = objects.map((each) => (typeof each === 'string' ? each : JSON.stringify(each))).join('\n---\n')
  return run('kubectl', ['apply', '--namespace', namespace, '--filename', '-'], text)
}
