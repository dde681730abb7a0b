import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A source file: its path from the root, and its text without comments. */
export type Source = { path: string; text: string }

/** A law that a file breaks. */
export type Fault = { path: string; why: string }

/** A law, and the files of the workspace that break it. */
export type Rule = (sources: readonly Source[]) => Fault[]

/** Whether a file runs in tests alone. */
export const isTest = (path: string): boolean => /\.(test|conformance)\.ts$|(^|\/)tests\//.test(path)

/** Code that runs in production: no tests, no scripts. */
export const ofProduct = (sources: readonly Source[]): Source[] =>
  sources.filter(({ path }) => /^(packages|services)\/[^/]+\/src\//.test(path) && !isTest(path))

/** Leaves out block comments and lines that are comments; a comment after code stays, which costs nothing here. */
const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')

/** Every TypeScript file of the workspace but those that are generated. */
export const readSources = (root: string): Source[] => {
  const patterns = ['{packages,services}/*/{src,tests}/**/*.ts', 'tests/**/*.ts', 'scripts/**/*.{ts,mjs}', '*.ts']
  const isGenerated = (path: string) => /\/(gen|node_modules)(\/|$)/.test(path)
  return globSync(patterns, { cwd: root, exclude: isGenerated }).map((path) => ({
    path,
    text: withoutComments(readFileSync(join(root, path), 'utf8')),
  }))
}
