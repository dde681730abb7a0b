/** Stands in for the process of a picture: its decoder crashes. */
process.on('message', () => process.kill(process.pid, 'SIGSEGV'))
