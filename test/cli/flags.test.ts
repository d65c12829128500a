import { describe, expect, it } from 'vitest'
import { UsageError } from '../../src/cli/failures.ts'
import { camelCase, commandName, kebabCase } from '../../src/cli/flag-names.ts'
import { flagsOf, splitAtCommas, valueOf, type Flag } from '../../src/cli/flags.ts'
import type { QuerySchema } from '../../src/retrieval/index.ts'

const many = (one: QuerySchema): QuerySchema => ({ anyOf: [one, { type: 'array', items: one }] })

const SCHEMA: QuerySchema = {
  type: 'object',
  required: ['region'],
  properties: {
    region: { type: 'string', description: 'code of the region' },
    horizonHours: { type: 'integer' },
    simplified: { type: 'boolean' },
    bbox: { type: 'array', items: { type: 'number' } },
    siteId: many({ type: 'string' }),
    navigation: { type: 'string', enum: ['UM', 'DM'] },
    kinds: many({ type: 'string', enum: ['exsa', 'base'] }),
    years: {
      anyOf: [
        { type: 'number', const: 1 },
        { type: 'number', const: 5 },
        { type: 'string', const: 'all' },
      ],
    },
    near: { type: 'object' },
    lastModified: { format: 'interval' },
    filter: { anyOf: [{ type: 'string' }, { type: 'object' }] },
    start: { format: 'date-time' },
    password: { type: 'string', format: 'password' },
  },
}

const flags = flagsOf(SCHEMA)
const flag = (name: string): Flag => flags.find(one => one.name === name) as Flag

describe('flagsOf', () => {
  it('names options like arguments, in the way of a command line', () => {
    expect(flags.map(one => one.flag)).toEqual([
      '--region',
      '--horizon-hours',
      '--simplified',
      '--bbox',
      '--site-id',
      '--navigation',
      '--kinds',
      '--years',
      '--near',
      '--last-modified',
      '--filter',
      '--start',
      '--password',
    ])
  })

  it('says what is required, secret, and a list', () => {
    expect(flags.filter(one => one.required).map(one => one.name)).toEqual(['region'])
    expect(flags.filter(one => one.secret).map(one => one.name)).toEqual(['password'])
    expect(flags.filter(one => one.list !== 'no').map(one => one.name)).toEqual(['bbox', 'siteId', 'kinds'])
    expect(flag('region').text).toBe('code of the region')
  })
})

describe('valueOf', () => {
  it.each<[name: string, given: (string | boolean)[], value: unknown]>([
    ['region', ['CAISO_NORTH'], 'CAISO_NORTH'],
    ['region', ['007'], '007'],
    ['horizonHours', ['24'], 24],
    ['horizonHours', ['-1.5e1'], -15],
    ['simplified', [true], true],
    ['simplified', [true, false], false],
    ['bbox', ['-90,42,-89,43'], [-90, 42, -89, 43]],
    ['siteId', ['A'], 'A'],
    ['siteId', ['A,B', 'C'], ['A', 'B', 'C']],
    ['siteId', ['Rock\\, County'], 'Rock, County'],
    ['navigation', ['UM'], 'UM'],
    ['kinds', ['exsa,base'], ['exsa', 'base']],
    ['years', ['5'], 5],
    ['years', ['all'], 'all'],
    ['near', ['{"latitude":43}'], { latitude: 43 }],
    ['lastModified', ['P7D'], 'P7D'],
    ['lastModified', ['2024-01-01/2024-02-01'], { start: '2024-01-01', end: '2024-02-01' }],
    ['lastModified', ['2024-01-01/..'], { start: '2024-01-01' }],
    ['lastModified', ['../2024-01-01'], { end: '2024-01-01' }],
    ['filter', ["state_name = 'Ohio'"], "state_name = 'Ohio'"],
    ['filter', ['{"op":"="}'], { op: '=' }],
    ['start', ['2024-01-01'], '2024-01-01'],
  ])('reads %s %j as %j', (name, given, value) => {
    expect(valueOf(flag(name), given)).toEqual(value)
  })

  it.each<[name: string, given: string[], message: string]>([
    ['horizonHours', ['a day'], "--horizon-hours must be a number; got 'a day'"],
    ['horizonHours', [''], "--horizon-hours must be a number; got ''"],
    ['horizonHours', ['0x10'], "--horizon-hours must be a number; got '0x10'"],
    ['bbox', ['-90,42,x,43'], "--bbox must be a number; got 'x'"],
    ['navigation', ['UP'], "--navigation must be one of UM, DM; got 'UP'"],
    ['kinds', ['exsa,bse'], "--kinds must be one of exsa, base; got 'bse'"],
    ['years', ['2'], "--years must be one of 1, 5, all; got '2'"],
    ['region', ['A', 'B'], '--region is given more than once'],
    ['filter', ['{"op":'], '--filter begins like JSON but is none'],
  ])('refuses %s %j', (name, given, message) => {
    expect(() => valueOf(flag(name), given)).toThrow(UsageError)
    expect(() => valueOf(flag(name), given)).toThrow(message)
  })

  it('never repeats what was typed for a secret', () => {
    const secret: Flag = { ...flag('password'), choices: ['none'] }
    expect(() => valueOf(secret, ['hunter2'])).toThrow(/^--password must be one of none$/)
  })
})

describe('names', () => {
  it.each([
    ['getMonitoringLocations', 'monitoring-locations'],
    ['getDaily', 'daily'],
    ['register', 'register'],
    ['requestPasswordReset', 'request-password-reset'],
    ['getaway', 'getaway'],
  ])('%s is the command %s', (operation, command) => {
    expect(commandName(operation)).toBe(command)
  })

  it('has hyphens for capitals and for underscores', () => {
    expect(kebabCase('monitoringLocationId')).toBe('monitoring-location-id')
    expect(kebabCase('a_bC')).toBe('a-b-c')
  })

  it.each(['monitoring-location-id', 'monitoring_location_id', 'monitoringLocationId'])(
    'reads %s as one name',
    name => {
      expect(camelCase(name)).toBe('monitoringLocationId')
    },
  )

  it('splits at commas, except those with a backslash', () => {
    expect(splitAtCommas('a, b\\,c,,d')).toEqual(['a', 'b,c', '', 'd'])
  })
})
