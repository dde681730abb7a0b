import { choice, optional, readEnvironment, text } from '@rookery/runtime'

/** Settings of the stores for tests and development. */
const settings = {
  REQUIRE_STORES: choice(['0', '1'], { describe: 'A store that cannot be had is a failure, not a skip.', default: '0' }),
  JAVA_HOME: optional(text({ describe: 'Where Java is, for Kafka; else the one on the path.' })),
  XDG_CACHE_HOME: optional(text({ describe: "Where Kafka's jars are kept; else ~/.cache." })),
  TEST_BUCKET: optional(
    text({ describe: 'An empty bucket of a real S3-compatible store to test with too: http://KEYID:KEY@HOST:PORT/BUCKET?region=REGION.' }),
  ),
}

/** Reads the settings of stores. */
export const readStoreConfig = () => {
  const values = readEnvironment(settings, process.env)
  return {
    mustHaveStores: values.REQUIRE_STORES === '1',
    javaHome: values.JAVA_HOME,
    cacheFolder: values.XDG_CACHE_HOME,
    bucketUrl: values.TEST_BUCKET,
  }
}
