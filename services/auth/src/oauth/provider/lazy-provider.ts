import type { Provider } from 'oidc-provider'
import { once } from '../../once.ts'
import type { openProvider } from './open-provider.ts'

type Deps = Omit<Parameters<typeof openProvider>[0], 'keys'> & { loadKeys: () => Promise<Parameters<typeof openProvider>[0]['keys']> }

/** Loads the library's modules. It warns of every release of Node that is not yet LTS; ours is chosen on purpose. */
const load = async () => {
  const { release } = process
  const isUnnamed = release.lts === undefined
  if (isUnnamed) Object.assign(release, { lts: 'Zz' })
  try {
    return await import('./open-provider.ts')
  } finally {
    if (isUnnamed) Reflect.deleteProperty(release, 'lts')
  }
}

/** The provider, opened when first wanted: loading it takes a third of a second and 40 MB that a quick start does not need. */
export const lazyProvider = (deps: Deps): (() => Promise<Provider>) =>
  once(async () => {
    const [keys, module] = await Promise.all([deps.loadKeys(), load()])
    return module.openProvider({ ...deps, keys })
  })
