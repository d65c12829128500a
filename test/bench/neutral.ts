/**
 * Our client on the neutral bench: `--spec '<json>'`, the server's address in BENCH_URL, one JSON line out.
 *
 *   --concurrency <n>  requests at a time       --rate <n>       request starts per second
 *   --stream           batch by batch           --pause-ms <n>   a consumer that takes so long over each batch
 */
import { runEmissions } from './neutral-emissions.ts'
import { runStreamflow } from './neutral-streamflow.ts'
import { readFlags } from './spec.ts'

const { spec, concurrency, rate, stream, pauseMs } = readFlags()
const peer = [
  'headrace',
  ...(concurrency === undefined ? [] : [`concurrency ${concurrency}`]),
  ...(rate === undefined ? [] : [`rate ${rate}`]),
  ...(stream ? ['streaming'] : []),
  ...(pauseMs > 0 ? [`${pauseMs} ms a batch`] : []),
].join(', ')
const tuning = {
  stream,
  pauseMs,
  ...(concurrency === undefined ? {} : { concurrency }),
  ...(rate === undefined ? {} : { rate }),
}

await (spec.collection === undefined ? runEmissions : runStreamflow)(peer, spec, tuning)
