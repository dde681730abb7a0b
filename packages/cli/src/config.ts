import { readEnvironment, text } from '@rookery/runtime'

const settings = { DATA_DIR: text({ describe: 'The data folder of the server that is meant.', default: '.rookery' }) }

/** Reads the path of the server's data folder. */
export const readCommandConfig = () => ({ dataDir: readEnvironment(settings, process.env).DATA_DIR })
