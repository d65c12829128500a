/**
 * Our client on the neutral bench: `--spec '<json>'`, the server's address in BENCH_URL, one JSON line out.
 *
 *   --concurrency <n>  requests at a time       --rate <n>       request starts per second
 *   --retries <n>      repeats of a request     --resume <n>     takes an interrupted pull up again, at most so often
 *   --stream           batch by batch           --pause-ms <n>   a consumer that takes so long over each batch
 *   --walk             streamflow: undivided, in one walk from page to page
 */
import { runEmissions } from './neutral-emissions.ts'
import { runStreamflow } from './neutral-streamflow.ts'
import { readFlags } from './spec.ts'

const { spec, concurrency, rate, retries, resume, stream, walk, pauseMs } = readFlags()
const peer = [
  'headrace',
  ...(concurrency === undefined ? [] : [`concurrency ${concurrency}`]),
  ...(rate === undefined ? [] : [`rate ${rate}`]),
  ...(retries === undefined ? [] : [`${retries} repeats`]),
  ...(resume === 0 ? [] : [`resumed at most ${resume} times`]),
  ...(stream ? ['streaming'] : []),
  ...(walk ? ['one walk'] : []),
  ...(pauseMs > 0 ? [`${pauseMs} ms a batch`] : []),
].join(', ')
const tuning = {
  stream,
  walk,
  pauseMs,
  resume,
  ...(concurrency === undefined ? {} : { concurrency }),
  ...(rate === undefined ? {} : { rate }),
  ...(retries === undefined ? {} : { retries }),
}

await (spec.collection === undefined ? runEmissions : runStreamflow)(peer, spec, tuning)
