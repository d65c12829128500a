import { describe, expect, it } from 'vitest'
import { answer, inTurn, startScripted, type Script } from '../../support/scripted-server.ts'
import { simulateWater, siteIds, waterClient } from '../../support/streamflow.ts'

const QUERY = {
  monitoringLocationId: siteIds(3),
  parameterCode: '00060',
  statisticId: '00003',
  start: '2020-01-01',
  end: '2022-12-31',
} as const
const HEADERS = { 'content-type': 'application/geo+json' }
/** Far behind the slices that are read first. */
const LATE = 2000

interface Feature {
  readonly id: string
  readonly properties: { readonly value: string }
}

/** One large page as the service sends it. */
async function largePage(): Promise<{ readonly text: string; readonly features: readonly Feature[] }> {
  const simulator = await simulateWater()
  const response = await fetch(
    `${simulator.url}/ogcapi/v1/collections/daily/items?limit=10000&monitoring_location_id=${siteIds(3).join()}` +
      '&parameter_code=00060&statistic_id=00003&time=2020-01-01/2022-12-31',
  )
  const text = await response.text()
  const { features } = JSON.parse(text) as { features: Feature[] }
  expect(features.length).toBeGreaterThan(3000)
  return { text, features }
}

/** The same page with another text in place of a part of a late feature. */
function changed({ text, features }: Awaited<ReturnType<typeof largePage>>, part: RegExp, other: string): string {
  const whole = JSON.stringify(features[LATE])
  const at = text.indexOf(whole)
  expect(at).toBeGreaterThan(0)
  return text.slice(0, at) + whole.replace(part, other) + text.slice(at + whole.length)
}

const idsOf = (rows: readonly { readonly daily_id: string | null }[]): unknown[] => rows.map(row => row.daily_id).sort()

const whole =
  (body: string): Script =>
  visit =>
    answer(visit, { body, headers: HEADERS })

const cutAt =
  (body: string, share: number, headers: Record<string, string>): Script =>
  ({ response, socket }) => {
    response.writeHead(200, { ...HEADERS, ...headers })
    response.write(body.slice(0, body.length * share), () => socket.destroySoon())
  }

describe('a page that is read while it arrives', () => {
  it('R50, F34: is cut after most of its rows were made, and asked for again: each row is there once', async () => {
    const page = await largePage()
    const length = { 'content-length': String(Buffer.byteLength(page.text)) }
    const server = await startScripted(inTurn(cutAt(page.text, 0.9, length), whole(page.text)))
    const { rows, meta } = await waterClient(server).getDaily(QUERY)
    expect(idsOf(rows)).toEqual(page.features.map(({ id }) => id).sort())
    expect(meta).toMatchObject([{ attempts: 2, rows: rows.length }])
  })

  it('F46: ends cleanly in the middle of a value, and is asked for again', async () => {
    const page = await largePage()
    const cut = page.text.slice(0, page.text.length * 0.9)
    const server = await startScripted(inTurn(whole(cut), whole(page.text)))
    const { rows } = await waterClient(server).getDaily(QUERY)
    expect(idsOf(rows)).toEqual(page.features.map(({ id }) => id).sort())
    expect(server.arrivals).toHaveLength(2)
  })

  it('has a bare NaN far behind: null, with a warning', async () => {
    const page = await largePage()
    const server = await startScripted(whole(changed(page, /"value":"[^"]*"/, '"value":NaN')))
    const { rows, warnings } = await waterClient(server).getDaily(QUERY)
    expect(idsOf(rows)).toEqual(page.features.map(({ id }) => id).sort())
    expect(rows.find(({ daily_id }) => daily_id === page.features[LATE]?.id)?.value).toBeNull()
    expect(warnings).toContainEqual(expect.stringContaining('1 value NaN'))
  })

  it('keeps not to the contract far behind: the error names the feature', async () => {
    const page = await largePage()
    const server = await startScripted(whole(changed(page, /"properties":\{.*?\}/, '"properties":null')))
    await expect(waterClient(server).getDaily(QUERY)).rejects.toMatchObject({
      failure: {
        kind: 'bad_response',
        message: expect.stringContaining(`features[${LATE}].properties: must be an object`) as string,
      },
    })
  })
})
