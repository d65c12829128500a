/** Modelled water use of two states, month by month. The service takes one place at a time; headrace asks for each. */
import { withStreamflow } from './streamflow-source.ts'

await withStreamflow(async client => {
  const use = await client.getWaterUse({
    model: 'wu-public-supply-wd',
    variable: ['pswdtot', 'pswdgw'],
    state: ['RI', 'Connecticut'],
    resolution: 'monthly',
    start: '2020-01',
    end: '2020-12',
  })
  console.log(use)
})
