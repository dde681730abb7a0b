import type { Lifecycle } from '../../packages/runtime/src/index.ts'

/** A replica for the proxy: its port, and that of its readiness check. */
export type Replica = { readonly port: number; readonly healthPort: number }

const EVERY_MILLISECONDS = 100

const isReady = ({ healthPort }: Replica): Promise<boolean> =>
  fetch(`http://127.0.0.1:${healthPort}/health/ready`, { signal: AbortSignal.timeout(1000) }).then(
    ({ ok }) => ok,
    () => false,
  )

/** The ports of a service's ready replicas, round robin, like a cluster's endpoints; a single replica is always used. */
export const readyPorts = (replicas: readonly Replica[], lifecycle: Lifecycle): (() => number) => {
  let ready = replicas
  let turn = 0
  if (replicas.length > 1) {
    const look = async () => {
      const states = await Promise.all(replicas.map(isReady))
      const found = replicas.filter((_, index) => states[index])
      ready = found.length > 0 ? found : replicas
    }
    const looking = setInterval(look, EVERY_MILLISECONDS)
    lifecycle.onClose('ready ports', () => clearInterval(looking))
  }
  return () => ready[turn++ % ready.length]!.port
}
