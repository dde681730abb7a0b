import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { TestStore } from './store.ts'

// testcontainers is loaded on demand: few machines have Docker and no Redis.
const load = () => import('testcontainers')

/** Whether Docker answers on this machine. */
export const hasDocker = async (): Promise<boolean> => {
  const { getContainerRuntimeClient } = await load()
  return getContainerRuntimeClient().then(
    () => true,
    () => false,
  )
}

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.end())
  })

/** Starts a container whose port stays the same after a kill, so that clients can reconnect. */
const startContainer = async (given: {
  image: string
  port: number
  inner: number
  environment?: Record<string, string>
  ready: string
}) => {
  const { GenericContainer, Wait, getContainerRuntimeClient } = await load()
  const running = await new GenericContainer(given.image)
    .withExposedPorts({ container: given.inner, host: given.port })
    .withEnvironment(given.environment ?? {})
    .withWaitStrategy(Wait.forLogMessage(given.ready))
    .start()
  const container = (await getContainerRuntimeClient()).container.getById(running.getId())
  const store: TestStore = {
    address: `127.0.0.1:${given.port}`,
    kill: async () => {
      await container.kill({ signal: 'SIGKILL' })
    },
    start: async () => {
      await container.start()
      while (!(await accepts(given.port))) await pause(50)
    },
    stop: async () => {
      await running.stop()
    },
  }
  return store
}

/** Starts Redis in a container. */
export const dockerRedis = (port: number): Promise<TestStore> =>
  startContainer({ image: 'redis:8', port, inner: 6379, ready: 'Ready to accept connections' })

/** Starts Kafka in a container, which advertises the port that clients reach it by. */
export const dockerKafka = (port: number, advertisedPort = port): Promise<TestStore> =>
  startContainer({
    image: 'apache/kafka:4.1.0',
    port,
    inner: 9092,
    ready: 'Kafka Server started',
    environment: {
      KAFKA_NODE_ID: '1',
      KAFKA_PROCESS_ROLES: 'broker,controller',
      KAFKA_LISTENERS: 'PLAINTEXT://:9092,CONTROLLER://:9093',
      KAFKA_ADVERTISED_LISTENERS: `PLAINTEXT://127.0.0.1:${advertisedPort}`,
      KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
      KAFKA_CONTROLLER_LISTENER_NAMES: 'CONTROLLER',
      KAFKA_CONTROLLER_QUORUM_VOTERS: '1@localhost:9093',
      KAFKA_AUTO_CREATE_TOPICS_ENABLE: 'false',
      KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: '1',
      KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS: '0',
    },
  })
