/** The published command: its start-up time, its report, and whether it prints the first line before it requests the second page. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { page, values } from "./pages.mjs"
import { median } from "./race.mjs"
import { start, subscription } from "./server.mjs"

const bin = fileURLToPath(new URL("../apps/cli/dist/bin.js", import.meta.url))

const environment = (baseUrl, id) => ({
  ...process.env,
  HEALTH_BASE_URL: baseUrl,
  HEALTH_ACCESS_TOKEN: "a.b.c",
  HEALTH_SUBSCRIPTION: id,
})

/** The time of a command, in milliseconds. */
const time = async (args, env) => {
  const started = performance.now()
  const [code] = await once(spawn(process.execPath, args, { env, stdio: ["ignore", "ignore", "inherit"] }), "exit")
  if (code !== 0) throw new Error(`It ended with ${code}`)
  return performance.now() - started
}

/** The median start-up time of `vigil --version`, against `node -e 0`. */
export const startRatio = async (rounds) => {
  const [version, nothing] = [[], []]
  for (let round = 0; round < rounds + 4; round++) {
    version.push(await time([bin, "--version"]))
    nothing.push(await time(["-e", "0"]))
  }
  return median(version) / median(nothing)
}

/** The median time of a report of 40,000 events, in seconds. */
export const report = async () => {
  const { baseUrl, stop } = await start()
  const env = environment(baseUrl, subscription({ isUnlike: true, kilobytes: 1, pages: 400 }))
  const target = mkdtempSync(join(tmpdir(), "vigil-report-"))
  const args = [bin, "events", "report", "--since", "1000d", "--out", join(target, "report.html")]
  const times = []
  // The service makes its pages in the first round.
  for (let round = 0; round < 4; round++) times.push(await time([...args, ...(round === 0 ? [] : ["--force"])], env))
  rmSync(target, { recursive: true })
  stop()
  return median(times.slice(1)) / 1000
}

/** In how many of `rounds` runs `events list --output jsonl` prints the first event before it requests the second page. */
export const firstLines = async (rounds) => {
  const [value] = values({ distinct: 1 })
  let hasPrinted
  let inTime = 0
  const server = createServer((request, response) => {
    const second = request.url.includes("skipToken")
    if (second && hasPrinted) inTime += 1
    const link = second ? "" : `http://${request.headers.host}${request.url}&$skipToken=2`
    response.writeHead(200, { "content-type": "application/json" }).end(page(value, link))
  })
  await once(server.listen(0, "127.0.0.1"), "listening")
  const env = environment(`http://127.0.0.1:${server.address().port}`, "00000000-0000-4000-8000-000000000001")
  for (let round = 0; round < rounds; round++) {
    hasPrinted = false
    const command = spawn(process.execPath, [bin, "events", "list", "--output", "jsonl"], {
      env,
      stdio: ["ignore", "pipe", "ignore"],
    })
    command.stdout.on("data", () => {
      hasPrinted = true
    })
    const [code] = await once(command, "exit")
    if (code !== 0) throw new Error(`It ended with ${code}`)
  }
  server.close()
  return inTime
}
