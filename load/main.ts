import exec from 'k6/execution'
import type { Options, Scenario } from 'k6/options'
import { celebrity, celebrityFollowers, celebrityStart, celebrityThresholds, openCelebrity } from './celebrity-post.ts'
import { morningRush, morningRushThresholds } from './morning-rush.ts'
import { NOBODY_CAN_SIGN_UP } from './people.ts'
import { onlooker, reconnectStorm, reconnectStormThresholds } from './reconnect-storm.ts'
import { METRICS, ONLY, SECONDS, TOKENS } from './settings.ts'
import { signUpWave, signUpWaveThresholds } from './sign-up-wave.ts'
import { memory, soak, soakThresholds } from './soak.ts'

export { followCelebrity, postToEverybody } from './celebrity-post.ts'
export { lookAround } from './morning-rush.ts'
export { comeBack, readMeanwhile } from './reconnect-storm.ts'
export { signUpAndLook } from './sign-up-wave.ts'
export { postAndRead, watchMemory } from './soak.ts'

type Scene = { scenarios: Record<string, Scenario>; thresholds: Record<string, string[]>; delays?: Record<string, number> }

/** The scenes in the order they are played, by the names they are asked for. */
const SCENES: Record<string, Scene> = {
  'sign-up-wave': { scenarios: { signUpWave }, thresholds: signUpWaveThresholds },
  'morning-rush': { scenarios: { morningRush }, thresholds: morningRushThresholds },
  'celebrity-post': {
    scenarios: { celebrityFollowers, celebrity },
    thresholds: celebrityThresholds,
    delays: { celebrity: celebrityStart },
  },
  'reconnect-storm': { scenarios: { reconnectStorm, onlooker }, thresholds: reconnectStormThresholds },
  soak: { scenarios: { soak, memory }, thresholds: soakThresholds },
}

/** Between two scenes, for the last of one to end. */
const BETWEEN_SECONDS = 35

/** Scenes that some servers cannot play: one needs sign-up, one the metrics. */
const CAN_BE_PLAYED: Record<string, boolean> = { 'sign-up-wave': TOKENS.length === 0, soak: METRICS.length > 0 }

const isPlayed = (name: string) => (ONLY ? name === ONLY : (CAN_BE_PLAYED[name] ?? true))

const played = Object.entries(SCENES).flatMap(([name, scene]) => (isPlayed(name) ? [scene] : []))

const starting = (scene: Scene, at: number) =>
  Object.entries(scene.scenarios).map(([name, scenario]) => [name, { ...scenario, startTime: `${at + (scene.delays?.[name] ?? 0)}s` }])

export const options: Options = {
  scenarios: Object.fromEntries(played.flatMap((scene, index) => starting(scene, index * (SECONDS + BETWEEN_SECONDS)))),
  thresholds: Object.assign({ checks: ['rate>0.99'] }, ...played.map(({ thresholds }) => thresholds)) as Record<string, string[]>,
  setupTimeout: '60s',
  discardResponseBodies: false,
  userAgent: 'Rookery load test',
}

/** Before the first scene: the one whom everyone will follow. */
export const setup = () => {
  const person = openCelebrity(TOKENS[0])
  if (!person) exec.test.abort(TOKENS[0] ? 'The first token of the list is not accepted.' : NOBODY_CAN_SIGN_UP)
  return { celebrity: person }
}
