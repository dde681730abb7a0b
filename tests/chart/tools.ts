import { spawnSync } from 'node:child_process'

const ADVICE: Record<string, string> = {
  helm: 'the chart needs helm on the path (https://helm.sh)',
  kubeconform: 'manifests are checked with kubeconform on the path and KUBERNETES_SCHEMAS naming a folder of schemas',
  promtool: 'rules need promtool on the path (it comes with Prometheus)',
}

/** Why a program's tests are left out, or undefined when it is there. @throws Error with that reason when REQUIRE_CHART_TOOLS is 1 */
export const whyNo = (program: keyof typeof ADVICE & string): string | undefined => {
  const lacksSchemas = program === 'kubeconform' && !process.env['KUBERNETES_SCHEMAS']
  if (!lacksSchemas && spawnSync('sh', ['-c', `command -v ${program}`]).status === 0) return undefined
  const reason = ADVICE[program] ?? program
  if (process.env['REQUIRE_CHART_TOOLS'] === '1') throw new Error(`${reason} (REQUIRE_CHART_TOOLS is 1)`)
  return reason
}

/** The name of a group of tests: what it is about, and why it is left out if it is. */
export const named = (title: string, reason: string | undefined): string => (reason ? `${title}: ${reason}` : title)

/** Runs a program to its end. */
export const run = (program: string, words: readonly string[]): { isWell: boolean; output: string; complaint: string } => {
  const { status, stdout, stderr } = spawnSync(program, words, { encoding: 'utf8', maxBuffer: 32 * 1024 * 1024 })
  return { isWell: status === 0, output: stdout, complaint: stderr }
}
