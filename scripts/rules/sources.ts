import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** A source file: its path from the root, its text without comments, and what it imports. */
export type Source = { path: string; text: string; imports: { specifier: string; target: string | undefined }[] }

/** A law that a file breaks. */
export type Fault = { path: string; why: string }

/** A law, and the files of the workspace that break it. */
export type Rule = (sources: readonly Source[], root: string) => Fault[]

type Manifest = { name: string; exports?: Record<string, string> }

/** Leaves out block comments and lines that are comments; a comment after code stays, which costs nothing here. */
const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')

/** A module that is imported, or that a process of its own runs: by its address beside the file that names it. */
const IMPORT = /(?:\bfrom\s*|\bimport\s*\(?\s*|\bnew URL\(\s*(?=['"]\.[^'"\n]*\.ts['"],\s*import\.meta\.url))['"]([^'"\n]+)['"]/g

/** Where each name that a manifest of the workspace exports is found. */
const exportsOf = (root: string): Map<string, string> => {
  const places = new Map<string, string>()
  for (const file of globSync('{packages,services}/*/package.json', { cwd: root })) {
    const manifest = JSON.parse(readFileSync(join(root, file), 'utf8')) as Manifest
    for (const [name, target] of Object.entries(manifest.exports ?? {})) places.set(join(manifest.name, name), join(dirname(file), target))
  }
  return places
}

/** Every TypeScript file of the workspace but those that are generated. Imports of other workspaces' packages have no target. */
export const readSources = (root: string): Source[] => {
  const exported = exportsOf(root)
  const patterns = ['{packages,services}/*/{src,tests}/**/*.ts', 'tests/**/*.ts', 'scripts/**/*.{ts,mjs}', '*.ts']
  const isGenerated = (path: string) => /\/(gen|node_modules)(\/|$)/.test(path)
  return globSync(patterns, { cwd: root, exclude: isGenerated }).map((path) => {
    const text = withoutComments(readFileSync(join(root, path), 'utf8'))
    const imports = [...text.matchAll(IMPORT)].map(([, specifier = '']) => {
      const file = specifier.startsWith('.') ? relative(root, join(root, dirname(path), specifier)) : exported.get(specifier)
      return { specifier, target: file && existsSync(join(root, file)) ? file : undefined }
    })
    return { path, text, imports }
  })
}
