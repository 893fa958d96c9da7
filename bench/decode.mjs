/** x */
import { request } from "undici"
import { start, subscription } from "./server.mjs"
import * as EventsPage from "@vigil/health-schema/EventsPage"
const decode = EventsPage.decode("2025-05-01")
const { baseUrl, stop } = await start()
const loop = async (pages, check) => {
  const id = subscription({pages})
  let next = `${baseUrl}/subscriptions/${id}/providers/x/events?api-version=2025-05-01`
  let n = 0
  while (next !== "") {
    const { body } = await request(next, { headers: { authorization: `Bearer a` } })
    const page = JSON.parse(await body.text())
    if (check) { const d = decode(page); if (d._tag !== "Right" || d.right.invalid.length>0) throw new Error("no"); n += d.right.items.length } else n += page.value.length
    next = page.nextLink
  }
  return n
}
await loop(30, true); await loop(30,false)
const t={true:[],false:[]}
for (let i=0;i<15;i++) for (const c of [true,false]) { const s=performance.now(); await loop(40,c); t[c].push(performance.now()-s) }
const med = a => a.sort((x,y)=>x-y)[7], min=a=>a[0]
console.log("median", med(t.true).toFixed(0), med(t.false).toFixed(0), (med(t.true)/med(t.false)).toFixed(3), "min", (min(t.true)/min(t.false)).toFixed(3), min(t.false)/40)
stop(); process.exit()
