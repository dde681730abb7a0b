import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chartDocument } from './documents/chart.ts'
import { configurationDocument, settingNamesText } from './documents/configuration.ts'
import { endpointsDocument, openApiText } from './documents/endpoints.ts'
import { eventsDocument } from './documents/events.ts'
import { noticesDocument } from './documents/notices.ts'

const CONTRACTS = 'packages/contracts/src/gen'

/** The generated documents, by path from the root. */
const documents = async (root: string): Promise<Record<string, string>> => ({
  'docs/configuration.md': await configurationDocument(root),
  'packages/runtime/src/setting-names.ts': await settingNamesText(root),
  'docs/endpoints.md': endpointsDocument(),
  'docs/openapi.json': openApiText(),
  'docs/events.md': eventsDocument(root),
  'helm/rookery/README.md': chartDocument(root),
  'THIRD_PARTY_NOTICES.md': noticesDocument(root),
})

const buf = (...flags: string[]) => {
  const done = spawnSync('buf', flags, { stdio: 'inherit' })
  if (done.status !== 0) throw new Error(`buf ${flags[0]} failed`)
}

/** Generates the contracts from proto/, and the documents. @throws Error when buf fails */
export const generate = async (root: string): Promise<void> => {
  buf('generate')
  for (const [path, text] of Object.entries(await documents(root))) writeFileSync(join(root, path), text)
}

const contentsOf = (folder: string): Record<string, string> =>
  Object.fromEntries(globSync('**/*.ts', { cwd: folder }).map((file) => [file, readFileSync(join(folder, file), 'utf8')]))

const outdatedContracts = (root: string): string[] => {
  const folder = mkdtempSync(join(tmpdir(), 'contracts-'))
  try {
    buf('generate', '-o', folder)
    const [fresh, kept] = [contentsOf(join(folder, CONTRACTS)), contentsOf(join(root, CONTRACTS))]
    return [...new Set([...Object.keys(fresh), ...Object.keys(kept)])]
      .filter((file) => fresh[file] !== kept[file])
      .map((file) => `${CONTRACTS}/${file}`)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The generated files that are outdated. */
export const findOutdated = async (root: string): Promise<string[]> => {
  const stale = Object.entries(await documents(root)).filter(
    ([path, text]) => !existsSync(join(root, path)) || readFileSync(join(root, path), 'utf8') !== text,
  )
  return [...outdatedContracts(root), ...stale.map(([path]) => path)]
}
