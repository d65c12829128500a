/**
 * Kills pulls at random moments and compares what they leave: `npm run soak:kill -- [--kills 200] [--seed 7]
 * [--format csv]`. Exits with 1 when something is not as in an undisturbed pull.
 */
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import type { PullFormat } from '../../src/pull/index.ts'
import { killPulls } from '../pull/kill-campaign.ts'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    seed: { type: 'string' },
    format: { type: 'string', default: 'csv' },
  },
})
const seed = Number(values.seed ?? randomInt(1, 2 ** 30))
console.log(`seed ${seed}`)
const { kills, pulls } = await killPulls({
  kills: Number(values.kills),
  seed,
  format: values.format as PullFormat,
  say: line => console.log(line),
})
console.log(`${kills} kills in ${pulls} pulls: every one equals an undisturbed pull`)
