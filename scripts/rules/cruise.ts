import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { cruise, type ICruiseResult, type IModule, type IViolation } from 'dependency-cruiser'
import { importRules } from './imports.ts'
import { type Fault, isTest } from './sources.ts'

type Manifest = { name: string; dependencies?: Record<string, string>; devDependencies?: Record<string, string> }

const packageOf = (specifier: string) => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')

const importedBy = (modules: readonly IModule[]) =>
  new Set(modules.flatMap(({ dependencies }) => dependencies.map(({ module }) => packageOf(module))))

/** The import of generated code, which is not analysed. */
const BY_GENERATED = '@bufbuild/protobuf'

/** Dependencies that nothing in a package imports; those that only its tests import are devDependencies. */
const unused = ({ modules }: ICruiseResult): Fault[] =>
  globSync('{packages,services}/*/package.json').flatMap((path) => {
    const manifest = JSON.parse(readFileSync(path, 'utf8')) as Manifest
    const own = modules.filter(({ source }) => source.startsWith(join(dirname(path), '/')))
    const [byAll, byProduct] = [importedBy(own), importedBy(own.filter(({ source }) => !isTest(source)))]
    const isTyped = (name: string) => name.startsWith('@types/') && byAll.has(name.slice('@types/'.length))
    return [
      ...Object.keys(manifest.dependencies ?? {}).filter((name) => !byProduct.has(name) && name !== BY_GENERATED),
      ...Object.keys(manifest.devDependencies ?? {}).filter((name) => !byAll.has(name) && !isTyped(name)),
    ].map((name) => ({ path, why: `names a dependency that is not used: ${name}` }))
  })

/** Cycles of folders that only involve tests are allowed. */
const isOfProduct = ({ cycle = [] }: IViolation) => cycle.every(({ name }) => /^(packages|services)\/(?!test-)[^/]+\/src(\/|$)/.test(name))

const sentence = ({ rule, to, cycle }: IViolation, why: ReadonlyMap<string, string>): string =>
  [why.get(rule.name), ...(rule.name.startsWith('used-') ? [] : [cycle ? cycle.map(({ name }) => name).join(', ') : to])].join(' ')

/** The violations of the import rules in the workspace that is the working directory: dependency-cruiser reads no other. */
export const importFaults = async (): Promise<Fault[]> => {
  const rules = importRules()
  const why = new Map(rules.map(({ name, comment }) => [name, comment]))
  const { output } = await cruise(
    [...globSync('{packages,services,tests,scripts}'), ...globSync('*.ts')],
    {
      ruleSet: { forbidden: rules },
      validate: true,
      tsPreCompilationDeps: true,
      combinedDependencies: true,
      skipAnalysisNotInRules: true,
      doNotFollow: { path: 'node_modules' },
      exclude: { path: '/gen/' },
      enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['node', 'import'], mainFields: ['main', 'types'] },
    },
    { extensions: ['.ts', '.mjs', '.js', '.cjs', '.json', '.d.ts'] },
  )
  const result = output as ICruiseResult
  const broken = result.summary.violations.filter(isOfProduct).map((each) => ({ path: each.from, why: sentence(each, why) }))
  return [...broken, ...unused(result)]
}
