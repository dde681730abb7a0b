export { intake } from './intake.consumer.ts'
