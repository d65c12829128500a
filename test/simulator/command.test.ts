import { afterEach, describe, expect, it } from 'vitest'
import { simulate } from '../../src/simulator/command.ts'
import { slowMonth, startSimulator, type Simulator } from '../../src/simulator/index.ts'
import { ask, historicalPath, logIn, type Reply } from './ask.ts'

let simulator: Simulator | undefined
afterEach(() => simulator?.close())

async function run(...args: string[]): Promise<string> {
  let said = ''
  simulator = await simulate(args, text => {
    said += text
  })
  return said
}

describe('simulate', () => {
  it('says where it is, and how to point headrace at it', async () => {
    const said = await run()
    const url = simulator?.url ?? ''
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(said).toContain(`WATTTIME_API_URL=${url}`)
    expect(said).toMatch(/WATTTIME_USER=demo WATTTIME_PASSWORD='demo-pass-1!'/)
    expect((await ask(`${url}/password`)).status).toBe(400)
  })

  it.each([
    ['a list', '[{"do":{"type":"status","status":503}}]'],
    ['an object', '{"faults":[{"do":{"type":"status","status":503}}],"limits":{"perSecond":{"count":99}}}'],
  ])('takes faults as JSON: %s', async (_, faults) => {
    await run('--faults', faults, '--seed', '3')
    const at = historicalPath('2024-03-01T00:00Z', '2024-03-01T00:00Z')
    expect((await ask(`${simulator?.url}${at}`)).status).toBe(503)
  })

  it('explains itself and starts nothing', async () => {
    expect(await run('--help')).toContain('--faults <preset|json>')
    expect(simulator).toBeUndefined()
  })

  it.each([
    ['a port that is none', ['--port', '70000'], "--port must be a whole number from 0 to 65535, got '70000'"],
    ['a seed that is none', ['--seed', 'x'], '--seed must be'],
    ['a preset nobody knows', ['--faults', 'slow-year'], 'slow-month'],
    ['JSON of another kind', ['--faults', '3'], 'a JSON list of faults'],
    ['a fault nobody knows', ['--faults', '[{"do":{"type":"nap"}}]'], "'nap' is not an action"],
    ['an option nobody knows', ['--speed', '3'], '--speed'],
  ])('refuses %s', async (_, args, message) => {
    await expect(run(...args)).rejects.toThrow(message)
    await expect(run(...args)).rejects.toMatchObject({ code: 'HEADRACE_CONFIGURATION' })
  })
})

describe('slow-month', () => {
  it('hangs above 15 days, lets one token die, and fails now and then at first', async () => {
    simulator = await startSimulator({ ...slowMonth(), limits: {} })
    const running = simulator
    let token = await logIn(running)
    const get = (day: number, days: number, patienceMs = 2000): Promise<Reply> => {
      const at = (offset: number): string => new Date(Date.UTC(2024, 0, day + offset)).toISOString()
      return ask(running.url + historicalPath(at(0), at(days)), { token, patienceMs })
    }
    expect((await get(1, 30, 60)).failure).toBe('silence')
    for (let day = 1; day <= 60; day++) {
      for (let attempt = 1; attempt <= 3; attempt++) {
        const { status } = await get(day, 15)
        if (status === 200) break
        if (status === 401) token = await logIn(running)
      }
    }
    const { statuses } = running.stats
    expect(statuses).toMatchObject({ '401': 1, hung: 1 })
    expect(statuses['503']).toBeGreaterThan(0)
    expect(statuses['503']).toBeLessThan(12)
    expect(statuses['200']).toBe(62)
  })

  it('lets in ten a second, and asks the rest to wait one', async () => {
    await run('--faults', 'slow-month')
    const token = await logIn(simulator as Simulator)
    const at = historicalPath('2024-03-01T00:00Z', '2024-03-01T00:00Z')
    const replies = await Promise.all(Array.from({ length: 12 }, () => ask(`${simulator?.url}${at}`, { token })))
    const refused = replies.filter(reply => reply.status === 429)
    expect(refused.length).toBeGreaterThanOrEqual(2)
    expect(refused[0]?.headers['retry-after']).toBe('1')
  })
})
