import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { readStoreConfig } from './config.ts'
import { canRun, runProgram } from './program.ts'
import type { Source } from './store.ts'

const VERSION = '4.3.1'
const DEBIAN = 'on Debian, apt-get install -y --no-install-recommends openjdk-17-jre-headless maven'

/** The folder of Kafka's jars once they are downloaded. */
export const kafkaHome = (): string => join(readStoreConfig().cacheFolder ?? join(homedir(), '.cache'), 'rookery', `kafka-${VERSION}`)

/** The Java that runs Kafka. */
export const javaCommand = (): string => {
  const { javaHome } = readStoreConfig()
  return javaHome ? join(javaHome, 'bin', 'java') : 'java'
}

/** Whether this machine can run Kafka: Java 17, and Maven until the jars are downloaded. */
export const programsForKafka = async (): Promise<Source> => {
  const version = await runProgram(javaCommand(), ['-version']).catch(() => '')
  const major = Number(/version "(\d+)/.exec(version)?.[1] ?? 0)
  if (major < 17) return { missing: `Kafka needs Java 17 or newer: ${DEBIAN}` }
  if (!existsSync(kafkaHome()) && !(await canRun('mvn', ['--version']))) return { missing: `Kafka is fetched with Maven, once: ${DEBIAN}` }
  return 'programs'
}

const dependency = (group: string, artifact: string, version: string) =>
  `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency>`

const PROJECT = `<project><modelVersion>4.0.0</modelVersion>
<groupId>rookery</groupId><artifactId>kafka-runtime</artifactId><version>1</version><packaging>pom</packaging>
<dependencies>${dependency('org.apache.kafka', 'kafka_2.13', VERSION)}${dependency('org.slf4j', 'slf4j-simple', '1.7.36')}</dependencies>
</project>
`

/** Downloads Kafka's jars (44 MB from Maven Central) unless they are there. Safe with several processes: the first one's jars stay. */
export const fetchKafka = async (): Promise<void> => {
  const home = kafkaHome()
  if (existsSync(home)) return
  const unfinished = `${home}.${process.pid}`
  mkdirSync(unfinished, { recursive: true })
  const project = join(unfinished, 'pom.xml')
  writeFileSync(project, PROJECT)
  const goal = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies'
  const output = `-DoutputDirectory=${join(unfinished, 'libs')}`
  try {
    await runProgram('mvn', ['-q', '-B', '-C', '-f', project, '-DincludeScope=runtime', output, goal])
    renameSync(unfinished, home)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    if (!existsSync(home)) throw error
  }
}
