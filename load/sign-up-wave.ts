import { check } from 'k6'
import { signUp } from './people.ts'
import { ask } from './requests.ts'
import { SECONDS, USERS } from './settings.ts'

/** Everyone signs up, evenly over the time, and looks at a home that is still empty. */
export const signUpWave = {
  executor: 'constant-arrival-rate' as const,
  exec: 'signUpAndLook',
  rate: USERS,
  timeUnit: `${SECONDS}s`,
  duration: `${SECONDS}s`,
  preAllocatedVUs: Math.max(2, Math.ceil(USERS / 50)),
  maxVUs: Math.max(10, USERS),
}

export const signUpWaveThresholds = {
  'http_req_failed{scenario:signUpWave}': ['rate<0.01'],
  // A password is made hard to guess on purpose: 40 ms of a processor.
  'http_req_duration{scenario:signUpWave,name:POST /api/v1/accounts}': ['p(95)<1500'],
  'dropped_iterations{scenario:signUpWave}': [`count<${Math.max(1, Math.ceil(USERS / 100))}`],
}

export const signUpAndLook = () => {
  ask('GET', '/api/v2/instance')
  const person = signUp()
  check(person, { 'was signed up': (signedUp) => signedUp !== undefined })
  if (!person) return
  ask('GET', '/api/v1/timelines/home', { token: person.token })
  ask('GET', '/api/v1/timelines/public', { token: person.token })
}
