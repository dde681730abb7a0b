import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A source file: its path from the root, and its text without comments. */
export type Source = { path: string; text: string }

/** A violation of a rule in a file. */
export type Fault = { path: string; why: string }

/** A rule, which returns its violations in the workspace. */
export type Rule = (sources: readonly Source[]) => Fault[]

/** Whether a file runs only in tests. */
export const isTest = (path: string): boolean => /\.(test|conformance)\.ts$|(^|\/)tests\//.test(path)

/** Production code: no tests, no scripts. */
export const ofProduct = (sources: readonly Source[]): Source[] =>
  sources.filter(({ path }) => /^(packages|services)\/[^/]+\/src\//.test(path) && !isTest(path))

/** Removes block comments and comment lines; comments after code stay, which does not matter here. */
const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')

/** All TypeScript files of the workspace, except generated ones. */
export const readSources = (root: string): Source[] => {
  const patterns = ['{packages,services}/*/{src,tests}/**/*.ts', 'tests/**/*.ts', 'scripts/**/*.{ts,mjs}', '*.ts']
  const isGenerated = (path: string) => /\/(gen|node_modules)(\/|$)/.test(path)
  return globSync(patterns, { cwd: root, exclude: isGenerated }).map((path) => ({
    path,
    text: withoutComments(readFileSync(join(root, path), 'utf8')),
  }))
}
